package main

import (
	"cmp"
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
	var force, quiet bool
	c := &cobra.Command{
		Use:   "unpack FILE.npz [MEMBER...]",
		Short: "Take the members out of an archive, as files",
		Long: `Unpack writes the members of an archive as files of their names, or only those that are named, into this folder or
the one that --directory says, which is made if need be. Slashes in names make folders. No name leads out of the folder:
such members are refused, and links in it that do are not followed. Each file appears when it is whole and its checksum
is right; a damaged member does not keep the others from being unpacked. A few bytes of an archive can name a folder:
10000 are made at most, or as many as --limit MaxFolders says.`,
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
			u, err := newUnpacker(a, z, dir)
			if err != nil {
				return fileError{dir, err}
			}
			defer u.root.Close()
			u.force, u.maxFolders = force, cmp.Or(int(a.limits["MaxFolders"]), defaultFolders)
			return a.unpack(u, args[0], expandMembers(args[1:], z.Names()), quiet)
		},
	}
	f := c.Flags()
	f.StringVarP(&dir, "directory", "C", ".", "`folder` to write to")
	f.BoolVarP(&force, "force", "f", false, "replace files that are there")
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
		e, ok := u.z.Entry(name)
		var err error
		if ok {
			err = u.member(name, e)
		} else {
			err = u.z.unknown(name)
		}
		if err != nil && strings.HasSuffix(err.Error(), "path escapes from parent") { // os.Root has no name for it
			err = errors.New("a link in the folder leads out of it; remove the link, or choose another folder")
		}
		if err != nil {
			a.complain(fileError{fileName(file) + ":" + name, explain(err)})
			continue
		}
		if !quiet {
			fmt.Fprintln(a.out, printable(filepath.Join(u.root.Name(), filepath.FromSlash(e.Name))))
		}
	}
	return nil
}

// An unpacker writes members into a folder, and nowhere else.
type unpacker struct {
	app        *app
	z          *archive
	root       *os.Root
	force      bool
	maxFolders int             // negative for no limit
	folders    map[string]bool // that were made, or were there
}

const (
	defaultFolders = 10_000
	maxPath        = 4096 // bytes of a name, as Linux takes paths
)

func newUnpacker(a *app, z *archive, dir string) (*unpacker, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	return &unpacker{app: a, z: z, root: root, folders: map[string]bool{".": true}}, err
}

// makeFolder makes a folder and those it is in.
func (u *unpacker) makeFolder(name string) error {
	made := 0
	for dir := name; !u.folders[dir]; dir = path.Dir(dir) {
		made++
	}
	if n := len(u.folders) - 1 + made; u.maxFolders >= 0 && n > u.maxFolders {
		return fmt.Errorf("%d folders for the names of the members are over MaxFolders %d: %w", n, u.maxFolders, npy.ErrLimit)
	}
	if err := u.root.MkdirAll(name, 0o777); err != nil {
		return err
	}
	for dir := name; !u.folders[dir]; dir = path.Dir(dir) {
		u.folders[dir] = true
	}
	return nil
}

// member writes one member: under another name in its folder first, which it gets when all is right.
func (u *unpacker) member(name string, e npz.Entry) (err error) {
	if err := checkName(e); err != nil {
		return err
	}
	if strings.HasSuffix(e.Name, "/") { // a folder
		return u.makeFolder(strings.TrimSuffix(e.Name, "/"))
	}
	to := filepath.FromSlash(e.Name)
	if _, err := u.root.Lstat(to); err == nil && !u.force {
		return fmt.Errorf("there is a file %s already; --force replaces it", filepath.Join(u.root.Name(), to))
	}
	if err := u.makeFolder(path.Dir(e.Name)); err != nil {
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
	if len(e.Name) > maxPath {
		return fmt.Errorf("its name has %d bytes, and a path at most %d; 'npy convert' writes it under another name: %w", len(e.Name), maxPath, npy.ErrLimit)
	}
	e.Name = strings.TrimSuffix(e.Name, "/")
	return e.CheckName()
}
