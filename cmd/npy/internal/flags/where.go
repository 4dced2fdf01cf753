package flags

import (
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/query"
)

// A Where is the value of --where: a condition that rows must satisfy.
type Where string

// String implements pflag.Value.
func (w *Where) String() string { return string(*w) }

// Type implements pflag.Value: help shows it as the name of the value.
func (w *Where) Type() string { return "condition" }

// Set implements pflag.Value.
func (w *Where) Set(text string) error {
	if err := query.CheckSyntax(text); err != nil {
		return diagnose.Flagged(err, "")
	}
	if *w != "" { // given before
		text = "(" + string(*w) + ") and (" + text + ")"
	}
	*w = Where(text)
	return nil
}

// Several says that the flag may be given several times: all conditions must be satisfied.
func (w *Where) Several() {}
