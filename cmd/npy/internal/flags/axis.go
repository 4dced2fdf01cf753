package flags

import "strconv"

// An Axis is the value of a flag that is not given, or an axis.
type Axis struct {
	Number int
	Given  bool
}

// String implements pflag.Value.
func (a *Axis) String() string {
	if !a.Given {
		return ""
	}
	return strconv.Itoa(a.Number)
}

// Type implements pflag.Value: help shows it as the name of the value.
func (a *Axis) Type() string { return "axis" }

// Set implements pflag.Value.
func (a *Axis) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	*a = Axis{n, true}
	return nil
}
