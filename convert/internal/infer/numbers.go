package infer

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/jsontext"
)

// Numbers collects the requirements of the numbers seen so far on a dtype.
type Numbers struct {
	fraction  bool // a number is not an integer
	negative  bool
	*culprits // nil if there are none
}

// culprits are the numbers that rule out some dtype. Few columns have any.
type culprits struct {
	over63  Culprit // the first integer beyond int64
	wide    Culprit // the first integer that neither int64 nor uint64 holds
	inexact Culprit // the first integer that a float64 may round
}

// A Culprit is a number that rules out a dtype. An empty text means that there is none.
type Culprit struct {
	Text string
	At   int // the line in tables, the offset in JSON
}

// merge adds the observations of later text.
func (n *Numbers) merge(later *Numbers) {
	n.fraction = n.fraction || later.fraction
	n.negative = n.negative || later.negative
	if later.culprits == nil {
		return
	}
	if n.culprits == nil {
		n.culprits = new(culprits)
	}
	n.over63.merge(later.over63)
	n.wide.merge(later.wide)
	n.inexact.merge(later.inexact)
}

func (c *Culprit) merge(later Culprit) {
	if c.Text == "" {
		*c = later
	}
}

// ScanNumber reports whether text is a decimal number, and whether the number is an integer. The words for infinity and
// NaN count as numbers, not as integers.
func ScanNumber(text string) (integer, ok bool) {
	s := text
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	n := jsontext.Digits(s)
	whole := n
	s = s[n:]
	if s == "" {
		return n > 0, n > 0
	}
	if s[0] == '.' {
		n = jsontext.Digits(s[1:])
		whole += n
		s = s[1+n:]
	}
	if whole == 0 {
		return false, IsNumberWord(text)
	}
	if s == "" {
		return false, true
	}
	if s[0]|0x20 != 'e' {
		return false, false
	}
	s = s[1:]
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	return false, s != "" && jsontext.Digits(s) == len(s)
}

// IsNumberWord reports whether s is a word for NaN or an infinity.
func IsNumberWord(s string) bool {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	return strings.EqualFold(s, "nan") || strings.EqualFold(s, "inf") || strings.EqualFold(s, "infinity")
}

// Add records a number. at is the position for culprits.
func (n *Numbers) Add(text string, integer bool, at int) {
	if !integer {
		n.fraction = true
		return
	}
	negative := text[0] == '-'
	if len(text) > 15 { // up to 15 digits fit every dtype
		n.addLong(text, negative, at)
	}
	n.negative = n.negative || negative
}

func (n *Numbers) addLong(text string, negative bool, at int) {
	digits := strings.TrimLeft(text, "+-")
	x, err := strconv.ParseUint(digits, 10, 64)
	if err == nil && x <= 1<<53 {
		return
	}
	if n.culprits == nil {
		n.culprits = new(culprits)
	}
	limit := uint64(math.MaxInt64)
	if negative {
		limit++
	}
	first := func(c *Culprit, is bool) {
		if is && c.Text == "" {
			*c = Culprit{strings.Clone(text), at}
		}
	}
	first(&n.over63, err != nil || x > limit)
	first(&n.wide, err != nil || x > limit && negative)
	first(&n.inexact, n.inexact.Text == "" && !isExact(digits))
}

// isExact reports whether float64 holds an integer.
func isExact(digits string) bool {
	if digits = strings.TrimLeft(digits, "0"); len(digits) > 309 { // none is longer
		return false
	}
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return false
	}
	whole, _ := new(big.Int).SetString(digits, 10)
	rounded, _ := big.NewFloat(x).Int(nil)
	return whole.Cmp(rounded) == 0
}

// DType returns the dtype for all numbers. If none holds them it returns the first number that rules it out, and the
// reason.
func (n *Numbers) DType(missing bool) (t dtype.Type, c Culprit, err error) {
	switch {
	case n.culprits == nil && !n.fraction && !missing:
		return dtype.Int64, c, nil
	case n.culprits == nil:
		return dtype.Float64, c, nil
	case missing && n.inexact.Text != "":
		return t, n.inexact, errors.New("integer is beyond 2**53, and with values missing it would be rounded to float64")
	case n.fraction && n.inexact.Text != "":
		return t, n.inexact, errors.New("integer is beyond 2**53, and among floats it would be rounded to float64")
	case n.fraction || missing:
		return dtype.Float64, c, nil
	case n.wide.Text != "":
		return t, n.wide, errors.New("integer fits neither int64 nor uint64")
	case n.over63.Text != "" && n.negative:
		return t, n.over63, errors.New("no dtype has both negative integers and integers beyond int64")
	case n.over63.Text != "":
		return dtype.Uint64, c, nil
	}
	return dtype.Int64, c, nil
}
