package format

import (
	"bytes"
	"math"
	"strings"

	"github.com/npygo/npy/dtype"
)

// parsePlain is the fast path for nearly every header: the text that NumPy writes for a plain dtype.
//
//	{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
//
// It reports false for any other header, which the parser reads or rejects.
func parsePlain(text []byte) (h Header, ok bool) {
	p := plain{text, true}
	p.expect("{'descr': '")
	descr := p.until('\'')
	p.expect(", 'fortran_order': ")
	if h.FortranOrder = p.ok && bytes.HasPrefix(p.rest, []byte("True")); h.FortranOrder {
		p.expect("True")
	} else {
		p.expect("False")
	}
	p.expect(", 'shape': (")
	var dims [MaxDims]int
	n := p.dims(&dims)
	p.expect(", }")
	if !p.ok || string(bytes.TrimLeft(p.rest, " ")) != "\n" || len(descr) > 8 || strings.ContainsAny(string(descr), "([,\\") {
		return h, false
	}
	t, err := dtype.Parse(string(descr))
	if err != nil || t.IsSubarray() {
		return h, false
	}
	h.DType, h.Shape = t, make([]int, n)
	copy(h.Shape, dims[:n])
	return h, h.Validate() == nil
}

// A plain scans the text of a header until the first mismatch.
type plain struct {
	rest []byte
	ok   bool
}

func (p *plain) expect(text string) {
	p.ok = p.ok && len(p.rest) >= len(text) && string(p.rest[:len(text)]) == text
	if p.ok {
		p.rest = p.rest[len(text):]
	}
}

// until returns the printable ASCII text before the character end, and skips both.
func (p *plain) until(end byte) []byte {
	for i, c := range p.rest {
		if c == end {
			text := p.rest[:i]
			p.rest = p.rest[i+1:]
			return text
		}
		if c < ' ' || c > '~' {
			break
		}
	}
	p.ok = false
	return nil
}

// dims reads the dimensions up to the closing bracket: "3, 4)", "3,)" or ")".
func (p *plain) dims(dims *[MaxDims]int) int {
	for n := 0; p.ok && n < MaxDims; n++ {
		if n == 0 && p.next(")") {
			return 0
		}
		dims[n] = p.number()
		switch {
		case n == 0 && p.next(",)"), n > 0 && p.next(")"):
			return n + 1
		}
		p.expect(", ")
	}
	p.ok = false
	return 0
}

// next skips text if it comes next, and reports whether it does.
func (p *plain) next(text string) bool {
	if !p.ok || !bytes.HasPrefix(p.rest, []byte(text)) {
		return false
	}
	p.expect(text)
	return true
}

// number reads a decimal number of up to 18 digits without leading zeros.
func (p *plain) number() int {
	n, digits := int64(0), 0
	for digits < min(len(p.rest), 19) && '0' <= p.rest[digits] && p.rest[digits] <= '9' {
		n = n*10 + int64(p.rest[digits]-'0')
		digits++
	}
	if digits == 0 || digits > 18 || digits > 1 && p.rest[0] == '0' || n > math.MaxInt {
		p.ok = false
		return 0
	}
	p.rest = p.rest[digits:]
	return int(n)
}
