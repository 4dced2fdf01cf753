package flags

import (
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/query"
)

// A Set is the value of --set: columns that are computed.
type Set []query.Assignment

// String implements pflag.Value.
func (s *Set) String() string {
	var all []string
	for _, a := range *s {
		all = append(all, a.String())
	}
	return strings.Join(all, "; ")
}

// Type implements pflag.Value: help shows it as the name of the value.
func (s *Set) Type() string { return "column" }

// Set implements pflag.Value.
func (s *Set) Set(text string) error {
	a, err := query.ParseAssignment(text)
	if err != nil {
		return diagnose.Flagged(err, "")
	}
	*s = append(*s, a)
	return nil
}

// Several says that the flag may be given several times: later columns may use earlier ones.
func (s *Set) Several() {}
