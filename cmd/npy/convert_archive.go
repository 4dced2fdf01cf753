package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
)

// within finds the member of an archive that a target means: the member that it names, every member if all is set, or
// else the only member.
func (t target) within(z *archive, all bool) (target, error) {
	t.archive = z
	if t.member != "" {
		return z.resolve(t)
	}
	if all {
		return t, nil
	}
	var arrays []string
	for name, e := range z.members() {
		if isArrayName(e.Name) {
			arrays = append(arrays, name)
		}
	}
	if len(arrays) != 1 {
		return t, fmt.Errorf("it has %d arrays; name one: %s", len(arrays), choice(t.path, arrays))
	}
	t.member = arrays[0]
	return t, nil
}

// choice lists members as arguments that name them, at most the first few.
func choice(path string, members []string) string {
	const most = 5
	var b strings.Builder
	for i, m := range members[:min(len(members), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s:%s", path, m)
	}
	if len(members) > most {
		b.WriteString(", …; see 'npy ls'")
	}
	return b.String()
}

// outMember returns the name of the only array in an archive that is written.
func (x conversion) outMember() string {
	if x.member != "" {
		return x.member
	}
	if x.in.member != "" {
		return x.in.member
	}
	return memberFor(x.in.path)
}

// memberFor returns the name of an array in an archive, made from the name of the file that the array comes from.
func memberFor(path string) string {
	if path == "-" {
		return "arr_0" // np.savez's name for arrays without one
	}
	name := filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// all converts every array of an archive and copies the other members.
func (x conversion) all(a *app) error {
	err := x.writeArchive(a, func(w *npz.Writer) error {
		for name, e := range x.in.archive.members() {
			x.in.member = name
			if err := x.one(w, e); err != nil {
				return fileError{x.in.name(), err}
			}
		}
		return nil
	})
	var e fileError
	if errors.As(err, &e) {
		return e
	}
	return says(x.out, err)
}

// one converts a member. A member that needs no change keeps its bytes.
func (x conversion) one(w *npz.Writer, e npz.Entry) error {
	changes := x.in.index != nil || x.dtype != "" || x.order != "" || x.version != "" || x.numpy != 0 || x.protocol != 0 || x.objects.refuse
	if !changes || !isArrayName(e.Name) {
		f, err := x.in.archive.stream(x.in.member)
		if err != nil {
			return err
		}
		defer f.Close()
		return w.AddFrom(e.Name, f)
	}
	array, _, err := x.readMember()
	if err == nil {
		array, err = x.arrange(array, true)
	}
	if err != nil {
		return err
	}
	return w.Add(x.in.member, array)
}

// writeArchive writes an archive that fill fills. After an error there is no archive.
func (x conversion) writeArchive(a *app, fill func(*npz.Writer) error) error {
	return a.createArchive(x.out, npz.Encoder{Array: x.encoder(x.askedVersion())}, fill)
}

// askedVersion returns the version that --npy-version asks for.
func (x conversion) askedVersion() format.Version {
	if x.version == "" {
		return format.Version{}
	}
	return format.Version{Major: x.version[0] - '0', Minor: x.version[2] - '0'}
}

// createArchive writes an archive to a file, or to standard output.
func (a *app) createArchive(path string, e npz.Encoder, fill func(*npz.Writer) error) error {
	w, err := a.archiveWriter(path, e)
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := fill(w); err != nil {
		return err
	}
	return w.Close()
}

func (a *app) archiveWriter(path string, e npz.Encoder) (*npz.Writer, error) {
	if path == "-" || path == os.DevNull {
		return e.NewWriter(a.out)
	}
	return e.Create(path)
}
