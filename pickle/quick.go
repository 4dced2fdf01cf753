package pickle

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/npygo/npy/internal/bulk"
)

// quick executes the opcodes of which large pickles mostly are, as long as they are in the window as a whole. It stops
// before any other, and before one that is an error: step is there for them all.
func (m *machine) quick() {
	for m.quickRow() {
	}
}

// quickArg is how many bytes behind an opcode quickRow wants to see: the longest argument of a value, with its count.
const quickArg = 8

// quickRow executes one opcode, or a row of those for values of one kind. It reports false if it has done nothing.
func (m *machine) quickRow() bool {
	w := m.ahead()
	if len(w) <= quickArg || m.nodes <= 0 {
		return false
	}
	switch w[0] {
	case opBinInt, opBinInt2:
		return m.quickInts(w)
	case opBinFloat:
		return m.quickFloats(w)
	case opShortBinUnicode, opBinUnicode:
		return m.quickTexts(w)
	case opBinInt1:
		return m.quickPush(int64(w[1]), 2) // Go has those in one place for all
	case opNone:
		return m.quickPush(nil, 1)
	case opNewTrue:
		return m.quickPush(true, 1)
	case opNewFalse:
		return m.quickPush(false, 1)
	case opBinGet:
		return m.quickGet(uint64(w[1]), 2)
	case opLongBinGet:
		return m.quickGet(uint64(binary.LittleEndian.Uint32(w[1:])), 5)
	}
	return false
}

// quickPush pushes a value whose opcode has a size, for which there is room.
func (m *machine) quickPush(v any, size int) bool {
	m.stack = append(m.stack, v)
	m.nodes--
	m.in.pos += size
	return true
}

// quickGet pushes the value of a number.
func (m *machine) quickGet(n uint64, size int) bool {
	v, err := m.memo.get(n)
	return err == nil && m.quickPush(v, size)
}

// quickInts pushes a row of BININT and BININT2.
func (m *machine) quickInts(w []byte) bool {
	ints := m.boxes.ints.free(1, m.nodes)
	n, rest := 0, w
	for n < len(ints) && len(rest) > quickArg {
		size := 0
		switch rest[0] {
		case opBinInt2:
			ints[n], size = int64(binary.LittleEndian.Uint16(rest[1:])), 3
		case opBinInt:
			ints[n], size = int64(int32(binary.LittleEndian.Uint32(rest[1:]))), 5
		}
		if size == 0 {
			break
		}
		rest = rest[size:]
		n++
	}
	m.stack = bulk.AppendBoxed(m.stack, m.boxes.ints.take(n))
	m.nodes -= n
	m.in.pos += len(w) - len(rest)
	return true
}

// quickFloats pushes a row of BINFLOAT.
func (m *machine) quickFloats(w []byte) bool {
	floats := m.boxes.floats.free(1, m.nodes)
	n, rest := 0, w
	for n < len(floats) && len(rest) > quickArg && rest[0] == opBinFloat {
		floats[n] = math.Float64frombits(binary.BigEndian.Uint64(rest[1:]))
		rest = rest[1+8:]
		n++
	}
	m.stack = bulk.AppendBoxed(m.stack, m.boxes.floats.take(n))
	m.nodes -= n
	m.in.pos += len(w) - len(rest)
	return true
}

// rowMost is how many strings may be in a row: all are read again if one of them is not UTF-8.
const rowMost = 64

// quickTexts pushes a row of SHORT_BINUNICODE or BINUNICODE: of short strings, each with the opcode that memoises it
// under the next number. Each string has an address of its own, by which encoders know it.
func (m *machine) quickTexts(w []byte) bool {
	first := len(m.memo.dense)
	if len(m.memo.sparse) > 0 {
		return false
	}
	texts := m.boxes.texts.free(1, min(rowMost, m.nodes, m.memo.limit-first))
	chars := m.boxes.chars.free(maxText, math.MaxInt)
	n, used, size := rowOfTexts(texts, chars, w, first)
	if !utf8.Valid(chars[:used]) {
		valid := 0
		for utf8.ValidString(texts[valid]) {
			valid++
		}
		n, used, size = rowOfTexts(texts[:valid], chars, w, first)
	}
	m.boxes.chars.take(used)
	at := len(m.stack)
	m.stack = bulk.AppendBoxed(m.stack, m.boxes.texts.take(n))
	m.memo.dense = append(grown(m.memo.dense, n, m.memo.expected), m.stack[at:]...)
	m.nodes -= n
	m.in.pos += size
	return n > 0
}

// rowOfTexts puts strings whose opcodes stand at the start of w into texts and their bytes into chars, as long as there is
// room and they are memoised from the number first on. It returns how many there are, how many bytes they have, and how
// many their opcodes. If the bytes together are valid UTF-8, so is each string.
func rowOfTexts(texts []string, chars, w []byte, first int) (n, used, size int) {
	for n < len(texts) {
		text, whole := textAt(w[size:], first+n)
		if whole == 0 || len(text) > len(chars)-used {
			break
		}
		end := used + copy(chars[used:], text)
		texts[n] = bulk.String(chars[used:end])
		n, used, size = n+1, end, size+whole
	}
	return n, used, size
}

// maxText is how long a string in a row may be: as long as SHORT_BINUNICODE can say.
const maxText = math.MaxUint8

// isChar reports whether a text is one of those that machine.string gives an identity.
func isChar(text []byte) bool { return len(text) == 1 || text[0] == 0xc2 || text[0] == 0xc3 }

// textAt returns the str at the start of w, and the size of its opcode together with the one that memoises it under a
// number: 0 if that is not there as a whole, or the str is empty, long or a single character, or begins within one.
func textAt(w []byte, number int) (text []byte, size int) {
	if len(w) <= quickArg {
		return nil, 0
	}
	start, n := 2, uint32(w[1])
	switch w[0] {
	case opBinUnicode:
		start, n = 5, binary.LittleEndian.Uint32(w[1:])
	case opShortBinUnicode:
	default:
		return nil, 0
	}
	if n == 0 || n > maxText || int(n) > len(w)-start || !utf8.RuneStart(w[start]) || n <= 2 && isChar(w[start:start+int(n)]) {
		return nil, 0
	}
	text, w = w[start:start+int(n)], w[start+int(n):]
	put := 1
	switch {
	case len(w) >= 1 && w[0] == opMemoize:
	case len(w) >= 2 && w[0] == opBinPut && int(w[1]) == number:
		put = 2
	case len(w) >= 5 && w[0] == opLongBinPut && uint64(binary.LittleEndian.Uint32(w[1:])) == uint64(number):
		put = 5
	default:
		return nil, 0
	}
	return text, start + int(n) + put
}
