package flags

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/npygo/npy"
)

// ParseShape reads a shape such as 100,3 or (100, 3) or ().
func ParseShape(text string) ([]int, error) {
	inner := strings.TrimSpace(text)
	if strings.HasPrefix(inner, "(") && strings.HasSuffix(inner, ")") {
		inner = inner[1 : len(inner)-1]
	}
	inner = strings.TrimSuffix(strings.TrimSpace(inner), ",")
	shape := []int{}
	if inner == "" {
		return shape, nil
	}
	for part := range strings.SplitSeq(inner, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("--shape %s: %q is not a length; want a shape such as 100,3", text, strings.TrimSpace(part))
		}
		shape = append(shape, n)
	}
	return shape, nil
}

// ParseOrder reads an --order flag.
func ParseOrder(text string) (npy.Order, error) {
	switch strings.ToUpper(text) {
	case "":
		return npy.KeepOrder, nil
	case "C":
		return npy.COrder, nil
	case "F":
		return npy.FortranOrder, nil
	}
	return npy.KeepOrder, fmt.Errorf("--order %s: want C or F", text)
}

// ParseIntegers parses an argument that is a list of integers.
func ParseIntegers(what, text string) ([]int, error) {
	numbers, err := ParseShape(text)
	if err != nil {
		return nil, fmt.Errorf("%s %s: want integers separated by commas: 2,3,-1", what, text)
	}
	return numbers, nil
}
