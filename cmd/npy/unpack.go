package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
	"github.com/spf13/cobra"
)

func unpackCommand(a *app) *cobra.Command {
	var dir string
	var force, quiet, portable bool
	c := &cobra.Command{
		Use:   "unpack FILE.npz [MEMBER...]",
		Short: "Take the members out of an archive, as files",
		Long: `Unpack writes the members of an archive as files of their names, or only those that are named, into this folder or
the one that --directory says, which is made if need be. Slashes in names make folders. No name leads out of the folder:
such members are refused, and links in it that do are not followed. Each file appears when it is whole and its checksum
is right; a damaged member does not keep the others from being unpacked. With --portable-names what Windows cannot have in the name
of a file becomes _, and names of devices get one in front.`,
		Example: `  npy unpack model.npz
  npy unpack -C weights model.npz layer1/w
  npy unpack model.npz 'layer1/*'`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			z, err := a.mustArchive(args[0], npy.Decoder{})
			if err != nil {
				return fileError{args[0], err}
			}
			defer z.close()
			u, err := newUnpacker(a, z, dir, force)
			if err != nil {
				return fileError{dir, err}
			}
			defer u.root.Close()
			u.portable = portable
			return a.unpack(u, args[0], expandMembers(args[1:], z.Names()), quiet)
		},
	}
	f := c.Flags()
	f.StringVarP(&dir, "directory", "C", ".", "`folder` to write to")
	f.BoolVarP(&force, "force", "f", false, "replace files that are there")
	f.BoolVar(&portable, "portable-names", false, "change names that Windows cannot have")
	f.BoolVarP(&quiet, "quiet", "q", false, "do not name the files that were written")
	return c
}

// unpack writes the members that are named, or all.
func (a *app) unpack(u *unpacker, file string, names []string, quiet bool) error {
	wanted := names
	if len(names) == 0 {
		for name := range u.z.members() {
			wanted = append(wanted, name)
		}
	}
	for _, name := range wanted {
		err := u.z.missing(name)
		if err == nil {
			err = u.member(name)
		}
		if err != nil && strings.HasSuffix(err.Error(), "path escapes from parent") { // os.Root has no name for it
			err = errors.New("a link in the folder leads out of it; remove the link, or choose another folder")
		}
		if err != nil {
			a.complain(fileError{fileName(file) + ":" + name, err})
			continue
		}
		if !quiet {
			fmt.Fprintln(a.out, printable(filepath.Join(u.root.Name(), filepath.FromSlash(u.renamed(u.z.entry(name)).Name))))
		}
	}
	return nil
}

// missing is the error for a member that is not there, nil for one that is.
func (z *archive) missing(name string) error {
	if z.Has(name) {
		return nil
	}
	return z.unknown(name)
}

// An unpacker writes members into a folder, and nowhere else.
type unpacker struct {
	app   *app
	z     *archive
	root  *os.Root
	force bool

	portable bool
	written  map[string]string // what portable names in small letters are of
}

// renamed returns an entry by the name that its file gets.
func (u *unpacker) renamed(e npz.Entry) npz.Entry {
	if u.portable {
		e.Name = portableName(e.Name)
	}
	return e
}

// claim keeps two members from becoming one file under portable names, which capitals do not tell apart.
func (u *unpacker) claim(name, member string) error {
	if !u.portable || strings.HasSuffix(name, "/") {
		return nil
	}
	key := strings.ToLower(name)
	if other, ok := u.written[key]; ok && other != member {
		return fmt.Errorf("it would take the place of %q, which has the same portable name; unpack it by itself into another folder", other)
	}
	u.written[key] = member
	return nil
}

func newUnpacker(a *app, z *archive, dir string, force bool) (*unpacker, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	return &unpacker{app: a, z: z, root: root, force: force, written: map[string]string{}}, err
}

// member writes one member: under another name in its folder first, which it gets when all is right.
func (u *unpacker) member(name string) (err error) {
	e := u.renamed(u.z.entry(name))
	if err := errors.Join(checkName(e), u.claim(e.Name, name)); err != nil {
		return err
	}
	if strings.HasSuffix(e.Name, "/") { // a folder
		return u.root.MkdirAll(strings.TrimSuffix(e.Name, "/"), 0o777)
	}
	to := filepath.FromSlash(e.Name)
	if _, err := u.root.Lstat(to); err == nil && !u.force {
		return fmt.Errorf("there is a file %s already; --force replaces it", filepath.Join(u.root.Name(), to))
	}
	if err := u.root.MkdirAll(path.Dir(e.Name), 0o777); err != nil {
		return err
	}
	from, err := u.z.stream(name)
	if err != nil {
		return err
	}
	from = u.app.watch(from, name, e.Size)
	defer from.Close()
	temporary := to + ".part"
	f, err := u.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there, perhaps of another run; remove it first", temporary)
	}
	if err != nil {
		return err
	}
	defer u.app.temporaries.add(func() { u.root.Remove(temporary) })()
	_, err = io.Copy(f, from)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = u.root.Rename(temporary, to)
	}
	if err != nil {
		u.root.Remove(temporary)
	}
	return err
}

// checkName refuses names that no file may have. A folder is one that ends with a slash.
func checkName(e npz.Entry) error {
	e.Name = strings.TrimSuffix(e.Name, "/")
	return e.CheckName()
}
