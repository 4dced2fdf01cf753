package check

import (
	"context"
	"io"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/format"
)

// archive checks the members of an archive, or the members that the target names. An error in one member does not
// affect the others.
func (v *Verifier) archive(ctx context.Context) {
	whole := v.target
	z := whole.Archive
	pattern, _, _ := whole.CutPattern()
	if whole.Member != "" && pattern == "" {
		t, err := whole.Resolve()
		if err != nil {
			v.wrong(0, err)
			return
		}
		v.target = t
		v.member(ctx)
		return
	}
	seen := map[string]bool{}
	names := z.Names()
	for i, e := range z.Entries() {
		if ctx.Err() != nil {
			return
		}
		if pattern != "" && !input.Matches(pattern, names[i]) {
			continue
		}
		v.target.Member = names[i]
		if err := e.CheckName(); err != nil {
			v.note(e.HeaderOffset, "%s", diagnose.Text(err))
		} else if problem := z.Unportable(e); problem != "" {
			v.note(e.HeaderOffset, "%s; 'npy unpack --portable-names' gives it another name", problem)
		}
		if seen[e.Name] {
			v.note(e.HeaderOffset, "a member before this one has the same name; NumPy gives only the last one")
			continue
		}
		seen[e.Name] = true
		if e.Err != nil {
			v.Members++
			v.wrong(e.HeaderOffset, e.Err)
			continue
		}
		v.member(ctx)
	}
	if v.target.Member = ""; pattern != "" && v.Members == 0 {
		v.wrong(0, z.Unknown(pattern))
	}
}

// member checks one member. A member that is not an array is an error only if its name says that it is one.
func (v *Verifier) member(ctx context.Context) {
	z := v.target.Archive
	v.Members++
	f, err := z.Stream(v.target.Member)
	if err != nil {
		v.wrong(0, err)
		return
	}
	e, _ := z.Entry(v.target.Member)
	f = v.Opener.Watch(f, v.target.Name(), e.Size)
	defer f.Close()
	in := input.Until(ctx, f)
	head, in := input.Peek(in, len(format.Magic))
	if string(head) == format.Magic || input.IsArrayName(e.Name) {
		v.stream(in, true)
		return
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		v.wrong(0, err)
		return
	}
	v.note(0, "%s, which NumPy gives as bytes", input.NotArray(e))
}
