package limits

import (
	"errors"
	"strconv"
	"strings"
)

// A Size is the value of a flag: a number of bytes, with K, M, G or T for powers of 1024.
type Size int64

// String implements pflag.Value.
func (s *Size) String() string {
	n, unit := int64(*s), ""
	for _, u := range "KMGT" {
		if n == 0 || n%1024 != 0 {
			break
		}
		n, unit = n/1024, string(u)
	}
	return strconv.FormatInt(n, 10) + unit
}

// Type implements pflag.Value: help shows it as the name of the value.
func (s *Size) Type() string { return "bytes" }

// Set implements pflag.Value.
func (s *Size) Set(text string) error {
	upper := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "B"), "I")
	shift := 0
	if i := strings.IndexAny("KMGT", upper[max(len(upper)-1, 0):]); i >= 0 && upper != "" {
		upper, shift = upper[:len(upper)-1], 10*(i+1)
	}
	n, err := strconv.ParseInt(upper, 10, 64)
	if err != nil || n <= 0 || n<<shift>>shift != n {
		return errors.New("want a number of bytes such as 512M or 2G")
	}
	*s = Size(n << shift)
	return nil
}
