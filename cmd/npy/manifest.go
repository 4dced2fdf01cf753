package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/remote"
	"github.com/npygo/npy/source"
	"github.com/spf13/cobra"
)

// A manifesting is one run of 'npy manifest'.
type manifesting struct {
	app  *app
	out  string
	axis int
	crc  bool
	dask bool

	mu     sync.Mutex
	placed map[string]input.Placed // the parts that were opened, by their arguments
}

var manifestSubcommand = subcommand{
	use:      "manifest PART...",
	short:    "List many files that are one array",
	group:    writeGroup,
	reads:    arrays,
	from:     anywhere,
	to:       anywhere,
	existing: keepOut,
	make:     manifestCommand,
}

func manifestCommand(a *app) *cobra.Command {
	x := &manifesting{app: a, placed: map[string]input.Placed{}}
	c := &cobra.Command{
		Long: `Manifest writes a list of .npy files that follow each other along an axis, as
JSON. Every subcommand then takes the manifest as FILE: it is one array, whose
files are opened when they are needed. Only the headers are read. Paths in the
manifest are relative to its folder; name it data.npy.json.

Parts may be at URLs. Then the manifest is written beside them, to a URL, and
has the ETag of each: a part that changes later is an error. On standard output
the paths are relative to the folder that all parts are in.

Parts are regular files in the folder of the manifest or below. Where they are
links that lead out of it, --follow-links has any subcommand follow them: do so
only with a manifest whose writer may read all your files.

A pattern in quotes stands for its files in the order of the numbers in their
names, part-2 before part-10. Files named one by one keep their order.

--dask writes the file info into the folder of the files 0.npy, 1.npy, …, with
which dask.array.from_npy_stack opens them. Such a folder is also a FILE.`,
		Example: "  npy manifest 'shards/*.npy' -o data.npy.json\n  npy show 'data.npy.json[-1]'\n  npy manifest --crc 'shards/*.npy' -o data.npy.json\n  npy verify data.npy.json\n  npy manifest 's3://bucket/shards/*.npy' -o s3://bucket/shards/data.npy.json\n  npy manifest --dask 'stack/*.npy'",
		Args:    someFiles,
		RunE: func(c *cobra.Command, args []string) error {
			if x.dask && (x.crc || c.Flags().Changed("output")) {
				return errors.New("--dask writes the file info into the folder of the files, without checksums; leave -o and --crc out")
			}
			if !x.dask && x.out != "-" {
				if err := x.app.checkOut(x.out, ""); err != nil {
					return err
				}
			}
			return x.run(args)
		},
	}
	f := c.Flags()
	f.StringVarP(&x.out, "output", "o", "-", "write the manifest to this `file` (standard output)")
	f.IntVarP(&x.axis, "axis", "a", 0, "the files follow each other along this `axis`; -1 is the last")
	f.BoolVar(&x.crc, "crc", false, "read the files, and write the checksum of each for 'npy verify'")
	f.BoolVar(&x.dask, "dask", false, "write the info of a stack of dask instead")
	return c
}

func (x *manifesting) run(args []string) error {
	files, err := x.app.expandSorted(args)
	if err != nil {
		return err
	}
	if x.dask {
		return x.stack(files)
	}
	o := x.app.opener(x.app.decoder(0, nil))
	m, err := parts.Scan(x.app.ctx, x.axis, files, x.open(o))
	if err != nil {
		return partError(err)
	}
	beside := x.out
	if beside == "-" {
		beside = x.folder() + "-"
	}
	bar := x.app.progress(diagnose.FileName(x.out))
	defer bar.Clear()
	for i := range m.Parts {
		if err := x.complete(o, beside, &m.Parts[i]); err != nil {
			return diagnose.Of(files[i], err)
		}
		bar.Set(int64(i+1), int64(len(files)))
	}
	data, err := m.Append(nil)
	if err != nil {
		return err
	}
	bar.Clear()
	return x.app.writeText(x.out, data)
}

// folder returns the URL of the folder that all parts are in, or "" for files of this machine.
func (x *manifesting) folder() string {
	var all []string
	for _, p := range x.placed {
		if remote.IsURL(p.URL) {
			all = append(all, p.URL)
		}
	}
	return input.CommonFolder(all)
}

// complete sets the path, the ETag and the checksum of a part of a manifest.
func (x *manifesting) complete(o input.Opener, manifest string, p *parts.Part) error {
	placed := x.placed[p.Path]
	p.ETag = placed.ETag
	if x.crc {
		now, f, err := o.Part(x.app.ctx, p.Path)
		if err != nil {
			return err
		}
		defer f.Close()
		if now.ETag != p.ETag {
			return remote.ErrChanged
		}
		if p.CRC32, err = parts.Checksum(input.Until(x.app.ctx, f)); err != nil {
			return err
		}
	}
	var err error
	p.Path, err = input.Beside(manifest, placed.URL)
	return err
}

// open returns an opener of parts by their arguments.
func (x *manifesting) open(o input.Opener) parts.Opener {
	return func(ctx context.Context, p parts.Part) (npy.Source, io.Closer, error) {
		places, err := o.Places(ctx, p.Path)
		if err == nil && (len(places) != 1 || places[0].Member != "" || places[0].Joined) {
			err = errors.New("it is not one .npy file")
		}
		if err != nil {
			return nil, nil, err
		}
		x.mu.Lock()
		defer x.mu.Unlock()
		x.placed[p.Path] = places[0]
		h := places[0].Header
		return source.Lazy(h.DType, h.Shape, nil), nil, nil // only its header is asked for
	}
}

// stack writes the info of a stack of dask.
func (x *manifesting) stack(files []string) error {
	dir := filepath.Dir(files[0])
	names := make([]string, len(files))
	for i, file := range files {
		if remote.IsURL(file) || filepath.Dir(file) != dir {
			return diagnose.Of(file, errors.New("a stack of dask is one folder of this machine"))
		}
		names[i] = filepath.Base(file)
	}
	m, err := parts.Scan(x.app.ctx, x.axis, names, parts.Folder{Path: dir, Links: x.app.links}.Opener(npy.Decoder{}))
	if err != nil {
		return partError(err)
	}
	return diagnose.Of(filepath.Join(dir, parts.StackInfo), m.WriteStackInfo(dir))
}

// partError returns the error of a part as an error of its file.
func partError(err error) error {
	var part *parts.PartError
	if errors.As(err, &part) {
		return diagnose.Of(part.Path, diagnose.Explain(part.Err))
	}
	return fmt.Errorf("%s", diagnose.Text(err))
}
