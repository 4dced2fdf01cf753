package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// Several is implemented by the values of flags that may be given several times: --limit, --where, --by.
type several interface{ Several() }

// once makes a flag that is given twice, with different values, an error, unless it has several values. The last value would
// otherwise replace the others without a word.
func once(f *pflag.FlagSet) {
	f.VisitAll(func(f *pflag.Flag) {
		switch f.Value.(type) {
		case several, pflag.SliceValue:
			return
		}
		f.Value = &onceValue{Value: f.Value}
	})
}

// A onceValue is the value of a flag that is given once.
type onceValue struct {
	pflag.Value
	given bool
	text  string // as it was given
}

// Set implements pflag.Value.
func (v *onceValue) Set(text string) error {
	if v.given && text != v.text {
		return fmt.Errorf("the flag is given twice, the first time as %s", v.text)
	}
	v.given, v.text = true, text
	return v.Value.Set(text)
}

// A list is the value of a flag whose values are joined with commas if it is given several times.
type list struct {
	text  *string
	given bool
}

// listVar adds a flag for values that are separated by commas.
func listVar(f *pflag.FlagSet, text *string, name, value, usage string) {
	*text = value
	f.Var(&list{text: text}, name, usage)
}

// String implements pflag.Value.
func (l *list) String() string {
	if l.text == nil { // pflag asks the zero value
		return ""
	}
	return *l.text
}

// Type implements pflag.Value.
func (l *list) Type() string { return "string" }

// Several implements several.
func (l *list) Several() {}

// Set implements pflag.Value.
func (l *list) Set(text string) error {
	if text == "" {
		return errors.New("want a value")
	}
	if l.given {
		text = *l.text + "," + text
	}
	*l.text, l.given = text, true
	return nil
}
