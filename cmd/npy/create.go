package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/mmap"
	"github.com/npygo/npy/remote"
	"github.com/spf13/cobra"
)

// A creation holds the flags of create.
type creation struct {
	dtype, shape, order, fill string
	force                     bool
}

var createSubcommand = subcommand{
	use:      "create FILE --shape SHAPE",
	short:    "Make an array file of zeros or of another value",
	group:    writeGroup,
	to:       anywhere,
	existing: keepOut,
	make:     createCommand,
}

func createCommand(a *app) *cobra.Command {
	var x creation
	c := &cobra.Command{
		Long: `Create writes an array of zeros, for example one whose parts several processes fill in. On most file systems it takes no disk
space until it is filled. With --fill every element has the given value. An existing file is replaced only with --force.`,
		Example: "  npy create --shape 1000000,512 --dtype '<f4' shared.npy\n  npy create --shape 3,3 --fill nan a.npy",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("create wants one name, and has %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			x.force = a.force
			h, err := x.header()
			if err != nil {
				return err
			}
			if err := a.checkArray(args[0]); err != nil {
				return err
			}
			if err := a.checkTerminal(args[0], conversion.NPY, ""); err != nil {
				return err
			}
			isFile := args[0] != "-" && !isOpen(args[0]) && !remote.IsURL(args[0])
			if z, _ := input.CompressionOf(args[0]); x.fill == "" && z == nil && isFile {
				return a.told(diagnose.Of(args[0], x.zeros(args[0], h)))
			}
			if remote.IsURL(args[0]) {
				if err := a.checkOut(args[0], ""); err != nil {
					return a.told(err)
				}
			}
			item, err := x.item(a.ctx, h.DType)
			if err != nil {
				return err
			}
			return a.told(diagnose.Of(args[0], x.filled(a, args[0], h, item)))
		},
	}
	f := c.Flags()
	f.StringVarP(&x.dtype, "dtype", "d", "<f8", "the `dtype`, as numpy.dtype takes it, or a descr")
	f.StringVar(&x.shape, "shape", "", "the `shape`, as 100,3; () is a single element")
	f.StringVar(&x.order, "order", "", "memory `order`: C or F (C)")
	f.StringVar(&x.fill, "fill", "", "the `value` of all elements, as text (zeros)")
	return c
}

// header checks the flags and returns the header they ask for.
func (x creation) header() (h format.Header, err error) {
	if h.DType, err = dtype.Parse(x.dtype); err != nil {
		return h, fmt.Errorf("--dtype: %s", diagnose.Text(err))
	}
	if x.shape == "" {
		return h, fmt.Errorf("create wants a --shape, such as 100,3")
	}
	if h.Shape, err = flags.ParseShape(x.shape); err != nil {
		return h, err
	}
	order, err := flags.ParseOrder(x.order)
	if err != nil {
		return h, err
	}
	h.FortranOrder = order == npy.FortranOrder
	switch err := h.Validate(); {
	case err != nil:
		return h, fmt.Errorf("--shape: %s", diagnose.Text(err))
	case h.DType.HasObject():
		return h, fmt.Errorf("--dtype %s: create cannot write Python objects", x.dtype)
	}
	return h, nil
}

func (x creation) zeros(path string, h format.Header) error {
	f, err := mmap.Options{Fortran: h.FortranOrder, Replace: x.force}.Create(path, h.DType, h.Shape...)
	if err != nil {
		return x.refused(err)
	}
	return f.Close()
}

// item reads the value of --fill.
func (x creation) item(ctx context.Context, t dtype.Type) (*npy.Array, error) {
	if x.fill == "" {
		return npy.New(t)
	}
	value, _, err := convert.Read(ctx, strings.NewReader(x.fill+"\n"), convert.CSV, convert.ReadOptions{DType: t, Header: convert.HeaderNo})
	if err != nil {
		return nil, fmt.Errorf("--fill %s: %s", x.fill, diagnose.Text(err))
	}
	if value.Size() != 1 {
		return nil, fmt.Errorf("--fill %s: want one value, not %d", x.fill, value.Size())
	}
	return value, nil
}

// filled writes one value to every element: it copies an array in which all strides are 0.
func (x creation) filled(a *app, path string, h format.Header, value *npy.Array) error {
	if _, err := os.Lstat(path); err == nil && !x.force && !isOpen(path) && !remote.IsURL(path) {
		return x.refused(fs.ErrExist)
	}
	src, err := npy.FromStrides(h.DType, value.Bytes(), 0, h.Shape, make([]int, len(h.Shape))) // every element is in the same memory
	if err != nil {
		return err
	}
	order := npy.COrder
	if h.FortranOrder {
		order = npy.FortranOrder
	}
	p := a.progress(path)
	defer p.Clear()
	return a.copyTo(npy.Copier{Encoder: npy.Encoder{Version: h.Version}, Order: order, Progress: p.Set}, path, src)
}

func (x creation) refused(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return errExists
	}
	return err
}
