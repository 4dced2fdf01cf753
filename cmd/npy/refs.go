package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/remote"
	"github.com/spf13/cobra"
)

var refsSubcommand = subcommand{
	use:      "refs PART...",
	short:    "Write references with which Zarr reads the files",
	group:    writeGroup,
	reads:    arrays,
	from:     anywhere,
	to:       anywhere,
	existing: keepOut,
	make:     refsCommand,
}

func refsCommand(a *app) *cobra.Command {
	var out string
	var axis int
	c := &cobra.Command{
		Long: `Refs writes references of kerchunk (version 1), JSON that says where in the
files the elements are. Zarr in Python reads the arrays with it, without a copy:

  zarr.open(fsspec.get_mapper("reference://", fo="refs.json"))

Several .npy files, a manifest or a stack of dask are one array, along --axis.
An archive is a group, if its members are stored without compression:
deflated ones are not zlib streams ('npy rezip --store' writes stored ones).
The parts may have any lengths along the first axis, or along the last one in
Fortran order. Along other axes all must be equal, because the chunks of Zarr
are. Python objects, and records with gaps, have no references.

Paths in the references are absolute; URLs are written without their query.`,
		Example: "  npy refs 'shards/*.npy' -o refs.json\n  npy refs data.npy.json -o refs.json\n  npy refs stored.npz -o refs.json\n  npy refs 's3://bucket/*.npy' -o s3://bucket/refs.json",
		Args:    someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if out != "-" {
				if err := a.checkOut(out, ""); err != nil {
					return err
				}
			}
			data, err := a.references(args, axis)
			if err != nil {
				return err
			}
			return a.writeText(out, data)
		},
	}
	f := c.Flags()
	f.StringVarP(&out, "output", "o", "-", "write the references to this `file` (standard output)")
	f.IntVarP(&axis, "axis", "a", 0, "the files follow each other along this `axis`; -1 is the last")
	return c
}

// writeText writes JSON to standard output if out is -, or to a file at a path or a URL.
func (a *app) writeText(out string, data []byte) error {
	if out == "-" {
		_, err := terminal.EscapeJSON(a.out).Write(data)
		return err
	}
	return diagnose.Of(out, a.urls.Replace(out, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}))
}

// references returns the references to arrays.
func (a *app) references(args []string, axis int) ([]byte, error) {
	files, err := a.expandSorted(args)
	if err != nil {
		return nil, err
	}
	o := a.opener(a.decoder(0, nil))
	var all []input.Placed
	for _, file := range files {
		places, err := o.Places(a.ctx, file)
		if err == nil && len(files) > 1 && (len(places) != 1 || places[0].Member != "" || places[0].Joined) {
			err = errors.New("several files are joined only if each is an .npy file; give an archive or a manifest alone")
		}
		if err != nil {
			return nil, diagnose.Of(file, diagnose.Explain(err))
		}
		all = append(all, places...)
	}
	for i := range all {
		if remote.IsURL(all[i].URL) {
			continue
		}
		if all[i].URL, err = filepath.Abs(all[i].URL); err != nil {
			return nil, err
		}
	}
	var refs parts.References
	if all[0].Member == "" {
		if all[0].Joined {
			axis = all[0].Axis
		}
		stored := make([]parts.Stored, len(all))
		for i, p := range all {
			stored[i] = p.Stored
		}
		err = refs.Add("", axis, stored...)
	}
	for _, p := range all {
		if p.Member == "" {
			break
		}
		if err = refs.Add(p.Member, 0, p.Stored); err != nil {
			err = fmt.Errorf("member %q: %w", p.Member, err)
			break
		}
	}
	if err != nil {
		return nil, partError(err)
	}
	return refs.Append(nil)
}
