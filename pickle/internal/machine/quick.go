package machine

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/pickle/internal/opcode"
)

// quick executes the most frequent opcodes of large pickles while they are completely in the window. It stops before
// any other opcode, and before an error: Step handles both.
func (m *Machine) quick() {
	for m.quickRun() {
	}
}

// quickArg is the number of bytes after an opcode that quickRun needs: the longest argument of a value, with its count.
const quickArg = 8

// quickRun executes one opcode, or a run of opcodes for values of one type. It returns false if it has done nothing.
func (m *Machine) quickRun() bool {
	w := m.Ahead()
	if len(w) <= quickArg || m.nodes <= 0 {
		return false
	}
	switch w[0] {
	case opcode.BinInt, opcode.BinInt2:
		return m.quickInts(w)
	case opcode.BinFloat:
		return m.quickFloats(w)
	case opcode.ShortBinUnicode, opcode.BinUnicode:
		return m.quickTexts(w)
	case opcode.BinInt1:
		return m.quickPush(int64(w[1]), 2) // Go allocates nothing for integers of one byte
	case opcode.None:
		return m.quickPush(nil, 1)
	case opcode.NewTrue:
		return m.quickPush(true, 1)
	case opcode.NewFalse:
		return m.quickPush(false, 1)
	case opcode.BinGet:
		return m.quickGet(uint64(w[1]), 2)
	case opcode.LongBinGet:
		return m.quickGet(uint64(binary.LittleEndian.Uint32(w[1:])), 5)
	}
	return false
}

// quickPush pushes a value whose opcode and argument take size bytes.
func (m *Machine) quickPush(v any, size int) bool {
	m.reserve(1, m.nodes)
	m.values = append(m.values, v)
	m.nodes--
	m.Skip(size)
	return true
}

// quickGet pushes the value with a number in the memo.
func (m *Machine) quickGet(n uint64, size int) bool {
	v, err := m.memo.Get(n)
	return err == nil && m.quickPush(v, size)
}

// quickInts pushes a run of BININT and BININT2.
func (m *Machine) quickInts(w []byte) bool {
	ints := m.boxes.ints.free(1, m.nodes)
	n, rest := 0, w
	for n < len(ints) && len(rest) > quickArg {
		size := 0
		switch rest[0] {
		case opcode.BinInt2:
			ints[n], size = int64(binary.LittleEndian.Uint16(rest[1:])), 3
		case opcode.BinInt:
			ints[n], size = int64(int32(binary.LittleEndian.Uint32(rest[1:]))), 5
		}
		if size == 0 {
			break
		}
		rest = rest[size:]
		n++
	}
	m.reserve(n, m.nodes)
	m.values = bulk.AppendBoxed(m.values, m.boxes.ints.take(n))
	m.nodes -= n
	m.Skip(len(w) - len(rest))
	return true
}

// quickFloats pushes a run of BINFLOAT.
func (m *Machine) quickFloats(w []byte) bool {
	floats := m.boxes.floats.free(1, m.nodes)
	n, rest := 0, w
	for n < len(floats) && len(rest) > quickArg && rest[0] == opcode.BinFloat {
		floats[n] = math.Float64frombits(binary.BigEndian.Uint64(rest[1:]))
		rest = rest[1+8:]
		n++
	}
	m.reserve(n, m.nodes)
	m.values = bulk.AppendBoxed(m.values, m.boxes.floats.take(n))
	m.nodes -= n
	m.Skip(len(w) - len(rest))
	return true
}

// maxRun is the largest number of strings in a run: all are read again if one of them is not UTF-8.
const maxRun = 64

// quickTexts pushes a run of SHORT_BINUNICODE or BINUNICODE: short strings, each followed by the opcode that memoises
// it under the next number. Each string has an address of its own, by which encoders identify it.
func (m *Machine) quickTexts(w []byte) bool {
	first := len(m.memo.dense)
	if len(m.memo.sparse) > 0 {
		return false
	}
	texts := m.boxes.texts.free(1, min(maxRun, m.nodes, m.memo.limit-first))
	chars := m.boxes.chars.free(maxText, math.MaxInt)
	n, used, size := runOfTexts(texts, chars, w, first)
	if !utf8.Valid(chars[:used]) {
		valid := 0
		for utf8.ValidString(texts[valid]) {
			valid++
		}
		n, used, size = runOfTexts(texts[:valid], chars, w, first)
	}
	m.boxes.chars.take(used)
	at := len(m.values)
	m.reserve(n, m.nodes)
	m.values = bulk.AppendBoxed(m.values, m.boxes.texts.take(n))
	m.memo.dense = append(grown(m.memo.dense, n, m.memo.expected), m.values[at:]...)
	m.nodes -= n
	m.Skip(size)
	return n > 0
}

// runOfTexts fills texts with the strings whose opcodes stand at the start of w, and chars with their bytes. It stops
// when either is full, or at a string that is not memoised under the next number, beginning with first. It returns the
// number of strings, the length of their bytes, and the length of their opcodes. If the bytes together are valid UTF-8,
// so is each string.
func runOfTexts(texts []string, chars, w []byte, first int) (n, used, size int) {
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

// maxText is the longest string in a run: the longest of SHORT_BINUNICODE.
const maxText = math.MaxUint8

// isChar reports whether Machine.text may give a text its identity, as a single character.
func isChar(text []byte) bool { return len(text) == 1 || text[0] == 0xc2 || text[0] == 0xc3 }

// textAt returns the str at the start of w, and the size of its opcode and the following opcode that memoises it under
// number. The size is 0 if w does not hold both, or if the str is empty, long, a single character, or begins within a
// character.
func textAt(w []byte, number int) (text []byte, size int) {
	if len(w) <= quickArg {
		return nil, 0
	}
	start, n := 2, uint32(w[1])
	switch w[0] {
	case opcode.BinUnicode:
		start, n = 5, binary.LittleEndian.Uint32(w[1:])
	case opcode.ShortBinUnicode:
	default:
		return nil, 0
	}
	if n == 0 || n > maxText || int(n) > len(w)-start || !utf8.RuneStart(w[start]) || n <= 2 && isChar(w[start:start+int(n)]) {
		return nil, 0
	}
	text, w = w[start:start+int(n)], w[start+int(n):]
	put := 1
	switch {
	case len(w) >= 1 && w[0] == opcode.Memoize:
	case len(w) >= 2 && w[0] == opcode.BinPut && int(w[1]) == number:
		put = 2
	case len(w) >= 5 && w[0] == opcode.LongBinPut && uint64(binary.LittleEndian.Uint32(w[1:])) == uint64(number):
		put = 5
	default:
		return nil, 0
	}
	return text, start + int(n) + put
}
