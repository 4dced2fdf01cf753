// Package flags has the flags that several subcommands share.
package flags

import (
	"errors"
	"fmt"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/spf13/cobra"
)

// MaxHeader adds the flag --max-header to a subcommand.
func MaxHeader(c *cobra.Command, n *int) {
	c.Flags().IntVar(n, "max-header", 0, fmt.Sprintf("largest header to read in `bytes` (0: %d, negative: no limit)", format.DefaultMaxHeader))
}

// A VoidAs is the value of --as: the dtype of elements that a file calls void.
type VoidAs struct{ DType dtype.Type }

// String implements pflag.Value.
func (f *VoidAs) String() string {
	if !f.DType.IsValid() {
		return ""
	}
	return f.DType.Name()
}

// Type implements pflag.Value: help shows it as the name of the value.
func (f *VoidAs) Type() string { return "dtype" }

// Set implements pflag.Value.
func (f *VoidAs) Set(text string) error {
	t, err := dtype.Parse(text)
	switch {
	case err != nil:
		return errors.New(diagnose.Text(err))
	case t.IsStruct() || t.IsSubarray() || t.HasObject() || t.ItemSize() == 0 || t.Equal(dtype.Void(t.ItemSize())):
		return errors.New("want a dtype of numbers such as bfloat16, float8_e4m3fn or int4")
	}
	f.DType = t
	return nil
}
