package infer

import (
	"strconv"
	"strings"

	"github.com/npygo/npy/convert/internal/options"
)

// A Cells tells what cells other than text mean: which are missing, and how numbers, bools and dates are written.
type Cells struct {
	Decimal, thousands byte // 0 for a point, and for none
	Plain              bool // both are 0: numbers are written as Go writes them

	// The lengths of missing texts, as bits, by first and last byte, so that hardly any other cell is looked up in words.
	first, last [256]uint32
	words       map[string]bool

	dates     options.Dates
	bools     map[string]bool // the values of words besides true and false, in lower case; nil if there are none
	keepZones bool            // times with a zone are text
	usual     bool            // numbers are written as Go writes them, and no other words are bools
}

// NewCells returns the meaning of cells that the options of tables give.
func NewCells(o options.Table) *Cells {
	v := &Cells{Decimal: o.Decimal, thousands: o.Thousands, words: map[string]bool{}, dates: o.Dates, keepZones: o.KeepZones}
	if len(o.True)+len(o.False) > 0 {
		v.bools = map[string]bool{}
		for _, w := range o.True {
			v.bools[strings.ToLower(Trim(w))] = true
		}
		for _, w := range o.False {
			v.bools[strings.ToLower(Trim(w))] = false
		}
	}
	if v.Decimal == '.' {
		v.Decimal = 0
	}
	v.Plain = v.Decimal == 0 && v.thousands == 0
	v.usual = v.Plain && v.bools == nil
	words := o.Missing
	if words == nil {
		words = options.DefaultMissing()
	}
	for _, w := range words {
		if w = Trim(w); w != "" {
			v.words[w] = true
			v.first[w[0]] |= lengthBit(w)
			v.last[w[len(w)-1]] |= lengthBit(w)
		}
	}
	return v
}

func lengthBit(text string) uint32 { return 1 << (uint(len(text)) & 31) }

// IsMissing reports whether a trimmed cell is a missing value. It is called for every cell and small enough to be inlined.
func (v *Cells) IsMissing(text string) bool {
	return text == "" || v.first[text[0]] != 0 && v.isWord(text)
}

// isWord reports whether text, which is not empty, is one of the words for missing values.
func (v *Cells) isWord(text string) bool {
	return v.first[text[0]]&v.last[text[len(text)-1]]&lengthBit(text) != 0 && v.words[text]
}

// Bool returns true or false in place of a word that means it, and reports whether text is one of the words besides true and false.
func (v *Cells) Bool(text string) (string, bool) {
	if v.bools == nil {
		return text, false
	}
	is, ok := v.bools[strings.ToLower(text)]
	if !ok {
		return text, false
	}
	return strconv.FormatBool(is), true
}

// Number returns the text of a number with a decimal point and without thousands separators. It returns false if the
// separators are misplaced: such a text is no number. Any other text is returned unchanged.
func (v *Cells) Number(text string) (string, bool) {
	if v.Plain || !v.mayBeNumber(text) {
		return text, true
	}
	b := make([]byte, 0, len(text))
	digits, grouped, fraction := 0, false, false // digits since the last separator
	for i := range len(text) {
		c := text[i]
		isGroup := c == v.thousands && v.thousands != 0
		isPoint := !isGroup && (c == '.' || c == v.Decimal)
		isDigit := c >= '0' && c <= '9'
		switch {
		case isDigit:
			digits++
		case isGroup: // 1,234,567, and 12,34,567 in India
			if fraction || digits == 0 || digits > 3 || grouped && digits < 2 {
				return text, false
			}
			grouped, digits = true, 0
			continue
		case grouped && digits != 3, isPoint && (fraction || c == '.' && v.Decimal != 0):
			return text, false
		default:
			if fraction, grouped, digits = isPoint, false, 0; isPoint {
				c = '.'
			}
		}
		b = append(b, c)
	}
	return string(b), !grouped || digits == 3
}

// mayBeNumber reports whether text has only bytes of numbers.
func (v *Cells) mayBeNumber(text string) bool {
	seen := false
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			seen = true
		case c == v.Decimal, c == v.thousands, strings.IndexByte("+-.eEjJ()", c) >= 0:
		default:
			return false
		}
	}
	return seen
}

// Trim removes the spaces around a cell.
func Trim(cell string) string {
	for cell != "" && IsSpace(cell[0]) {
		cell = cell[1:]
	}
	for cell != "" && IsSpace(cell[len(cell)-1]) {
		cell = cell[:len(cell)-1]
	}
	return cell
}

// IsSpace reports whether c is ignored at the ends of a number.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' }
