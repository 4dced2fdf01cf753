package main

import (
	"io"

	"github.com/npygo/npy/format"
)

// archive checks the members of an archive, or the members that the target names. An error in one member does not
// affect the others.
func (v *verifier) archive(z *archive) {
	whole := v.file
	whole.archive = z
	defer func() { v.file = whole }()
	pattern, _, _ := z.cutPattern(whole)
	if whole.member != "" && pattern == "" {
		t, err := z.resolve(whole)
		if err != nil {
			v.wrong(0, err)
			return
		}
		v.file = t
		v.member(z)
		return
	}
	seen := map[string]bool{}
	names, paths := z.Names(), z.portableNames()
	for i, e := range z.Entries() {
		if pattern != "" && !matches(pattern, names[i]) {
			continue
		}
		v.file.member = names[i]
		if err := e.CheckName(); err != nil {
			v.note(e.HeaderOffset, "%s", reason(err))
		} else if problem := unportable(e, paths); problem != "" {
			v.note(e.HeaderOffset, "%s; 'npy unpack --portable-names' gives it another", problem)
		}
		if seen[e.Name] {
			v.note(e.HeaderOffset, "there is a member of this name before; NumPy gives the last one alone")
			continue
		}
		seen[e.Name] = true
		if e.Err != nil {
			v.members++
			v.wrong(e.HeaderOffset, e.Err)
			continue
		}
		v.member(z)
	}
	if whole.member = ""; pattern != "" && v.members == 0 {
		v.wrong(0, z.unknown(pattern))
	}
}

// member checks one member. A member that is not an array is an error only if its name says that it is one.
func (v *verifier) member(z *archive) {
	v.members++
	f, err := z.stream(v.file.member)
	if err != nil {
		v.wrong(0, err)
		return
	}
	e, _ := z.Entry(v.file.member)
	f = v.app.watch(f, v.file.name(), e.Size)
	defer f.Close()
	r := v.reader(f)
	head, _ := r.Peek(len(format.Magic))
	if string(head) == format.Magic || isArrayName(e.Name) {
		v.stream(r, true)
		return
	}
	if _, err := io.Copy(io.Discard, r); err != nil {
		v.wrong(0, err)
		return
	}
	v.note(0, "no array but %s, which NumPy gives as bytes", bytesText(e.Size))
}
