package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/spf13/cobra"
)

var unpackSubcommand = subcommand{
	use:      "unpack FILE [MEMBER...]",
	short:    "Write the arrays of a file as files",
	group:    containerGroup,
	reads:    archives | containers,
	from:     anywhere,
	to:       here,
	complete: (*app).completeMember,
	existing: keepOut,
	make:     unpackCommand,
}

func unpackCommand(a *app) *cobra.Command {
	var dir string
	var quiet, portable bool
	c := &cobra.Command{
		Long: `Unpack writes the members of an archive, or only the named ones, as files into the current folder or into --directory, which is
created if necessary. Slashes in names make folders. Nothing is written outside of the folder: members whose names lead out of
it are refused, and links that lead out of it are not followed. A file appears only when it is complete and its checksum
is correct. Of ` + input.FormatNames("and") + ` files, unpack writes each array as an .npy file. After a damaged member the others are still unpacked. At most 10000 folders are made; --limit MaxFolders changes that.

Some names of members cannot be names of files on Windows; there, such members are refused. --portable-names writes them, and
names that differ only in case, under names that are valid on every system: "a%3Ab.npy" for "a:b.npy", "b~2.npy" for the
second of "B.npy" and "b.npy". 'npy ls' and 'npy verify' list these members.`,
		Example: `  npy unpack model.npz
  npy unpack -C weights model.npz layer1/w
  npy unpack model.npz 'layer1/*'
  npy unpack --portable-names -C weights model.npz`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := inPlace("unpack -C", dir); err != nil {
				return err
			}
			c, err := a.opener(npy.Decoder{Objects: a.limits.Objects()}).OpenContainer(args[0])
			if err != nil {
				return diagnose.FileError{File: args[0], Err: err}
			}
			defer c.Close()
			u, err := newUnpacker(a, c, dir)
			if err != nil {
				return diagnose.FileError{File: dir, Err: err}
			}
			defer u.root.Close()
			if portable {
				u.portable = c.PortablePath
			}
			u.force, u.maxFolders = a.force, cmp.Or(int(a.limits["MaxFolders"]), defaultFolders)
			return a.unpack(u, args[0], input.ExpandMembers(args[1:], c.Names()), quiet)
		},
	}
	f := c.Flags()
	f.StringVarP(&dir, "directory", "C", ".", "`folder` to write to")
	f.BoolVar(&portable, "portable-names", false, "use file names that are valid on every system")
	f.BoolVarP(&quiet, "quiet", "q", false, "do not list the files")
	return c
}

// unpack writes the named members, or all.
func (a *app) unpack(u *unpacker, file string, names []string, quiet bool) error {
	wanted := names
	if len(names) == 0 {
		wanted = u.c.Names()
	}
	for _, name := range wanted {
		e, err := u.entry(name)
		if err == nil {
			err = u.member(name, e)
		}
		if err != nil && strings.HasSuffix(err.Error(), "path escapes from parent") { // os.Root has no error value for this
			err = errors.New("a link leads out of the folder; remove the link, or choose another folder")
		}
		switch {
		case diagnose.IsFull(err):
			a.complain(diagnose.FileError{File: filepath.Join(u.root.Name(), filepath.FromSlash(u.path(e))), Err: err})
			continue
		case err != nil:
			a.complain(diagnose.FileError{File: diagnose.FileName(file) + ":" + name, Err: diagnose.Explain(err)})
			continue
		}
		if !quiet {
			fmt.Fprintln(a.out, terminal.Printable(filepath.Join(u.root.Name(), filepath.FromSlash(u.path(e)))))
		}
	}
	return nil
}

// entry returns a member. For a file that is no archive, it is the member that an archive of the array would have.
func (u *unpacker) entry(name string) (npz.Entry, error) {
	if z := u.c.NPZ(); z != nil {
		if e, ok := z.Entry(name); ok {
			return e, nil
		}
		return npz.Entry{}, u.c.Unknown(name)
	}
	e, err := u.c.Entry(strings.TrimPrefix(name, "/"))
	switch {
	case err != nil:
		return npz.Entry{}, u.c.Unknown(name)
	case e.Err != nil:
		return npz.Entry{}, e.Err
	case e.Group:
		return npz.Entry{}, fmt.Errorf("it is a group; '%s/*' unpacks its arrays", name)
	}
	return npz.Entry{Name: e.Path + ".npy", Size: format.Header{DType: e.DType, Shape: e.Shape}.NBytes()}, nil
}

// An unpacker writes members into a folder, and nowhere outside of it.
type unpacker struct {
	app        *app
	c          *input.Container
	root       *os.Root
	force      bool
	maxFolders int                      // negative for no limit
	folders    map[string]bool          // that exist
	portable   func(name string) string // the path of the file for a name in the archive; nil for the name
}

const (
	defaultFolders = 10_000
	maxPath        = 4096 // bytes of a name, as Linux takes paths
)

func newUnpacker(a *app, c *input.Container, dir string) (*unpacker, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	return &unpacker{app: a, c: c, root: root, folders: map[string]bool{".": true}}, err
}

// makeFolder makes a folder and its parents.
func (u *unpacker) makeFolder(name string) error {
	made := 0
	for dir := name; !u.folders[dir]; dir = path.Dir(dir) {
		made++
	}
	if n := len(u.folders) - 1 + made; u.maxFolders >= 0 && n > u.maxFolders {
		return &npy.LimitError{Name: "MaxFolders", Limit: int64(u.maxFolders), Got: int64(n), What: fmt.Sprintf("%d folders for the names of the members are over MaxFolders %d", n, u.maxFolders)}
	}
	if err := u.root.MkdirAll(name, 0o777); err != nil {
		return err
	}
	for dir := name; !u.folders[dir]; dir = path.Dir(dir) {
		u.folders[dir] = true
	}
	return nil
}

// path returns the path that a member is written to, with slashes.
func (u *unpacker) path(e npz.Entry) string {
	if u.portable == nil {
		return e.Name
	}
	return u.portable(e.Name)
}

// member writes one member.
func (u *unpacker) member(name string, e npz.Entry) error {
	if err := u.checkName(e); err != nil {
		return err
	}
	e.Name = u.path(e)
	if strings.HasSuffix(e.Name, "/") { // a folder
		return u.makeFolder(strings.TrimSuffix(e.Name, "/"))
	}
	to := filepath.FromSlash(e.Name)
	if _, err := u.root.Lstat(to); err == nil && !u.force {
		return fmt.Errorf("%s exists; --force replaces it", filepath.Join(u.root.Name(), to))
	}
	if err := u.makeFolder(path.Dir(e.Name)); err != nil {
		return err
	}
	from, err := u.c.Stream(u.app.ctx, name)
	if err != nil {
		return err
	}
	from = u.app.watch(from, name, e.Size)
	defer from.Close()
	return npz.UnpackFile(u.root, to, from, u.force)
}

// checkName refuses names that cannot be the name of a file. The name of a folder ends with a slash.
func (u *unpacker) checkName(e npz.Entry) error {
	if err := e.CheckPortable(); u.portable == nil && runtime.GOOS == "windows" && err != nil {
		return fmt.Errorf("%w; --portable-names gives it another name", err)
	}
	e.Name = strings.TrimSuffix(u.path(e), "/")
	if len(e.Name) > maxPath {
		return &npy.LimitError{Limit: maxPath, Got: int64(len(e.Name)), What: fmt.Sprintf("its name has %d bytes, and a path at most %d; 'npy convert' writes it under another name", len(e.Name), maxPath)}
	}
	return e.CheckName()
}
