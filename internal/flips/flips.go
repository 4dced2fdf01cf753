// Package flips changes one bit of a file at a time, for tests of readers, and counts the outcomes of reading it: an
// error, the same values as before, or other values. Other values are a fault if the format has a checksum. Without a
// checksum some changes cannot be noticed: then another program must read the same values.
//
// A test tries some bits, chosen by the seed of the test. With NPY_CASES set it tries every bit, and appends the counts to the file
// that NPY_FLIPS names.
package flips

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// A Format is a format with a sound file, and the reader to be tested.
type Format struct {
	Name string
	File []byte

	// Read returns the contents of a file as text that differs if a name, a dtype, a shape or a value does.
	Read func(file []byte) (string, error)

	// Spans are the bytes whose bits are changed: offsets of the first and after the last. nil stands for the whole file.
	Spans [][2]int

	// Unchecked formats have no checksum of the bytes in Spans. The reader may return other values then, if Other reads
	// the same.
	Unchecked bool
	Other     *Program // nil if no other program reads the format
}

// A Program is another reader.
type Program struct {
	Name string
	// Read returns the contents of files, "" for a file that the program cannot read.
	Read func(t testing.TB, files [][]byte) []string
}

// Counts are the results for a format.
type Counts struct {
	Format  string
	Size    int // bytes of the file
	Bits    int // that were changed
	Errors  int // files that the reader refuses
	Same    int // files whose values are the same as before
	Wrong   int // files with other values
	Checked bool
	Program string
	Agreed  int // of Wrong, files in which Program reads the same other values
}

// A flip is a change that the reader did not notice.
type flip struct {
	of   *tried
	bit  int
	text string // the contents
}

// A tried is a format whose bits were changed.
type tried struct {
	Format
	Counts
	sound string
	wrong []flip
}

// Test tries bits of the files of formats.
func Test(t *testing.T, formats ...Format) {
	t.Helper()
	formats = slices.Clone(formats)
	slices.SortStableFunc(formats, func(a, b Format) int { return strings.Compare(a.Name, b.Name) }) // callers range over maps
	random := oracle.Rand(t)
	var all []*tried
	asked := map[*Program][]flip{}
	for _, f := range formats {
		x := f.try(t, random)
		all = append(all, x)
		switch {
		case !f.Unchecked:
			x.blame(t)
		case f.Other != nil && !testing.Short():
			x.Program = f.Other.Name
			asked[f.Other] = append(asked[f.Other], x.sample()...)
		}
	}
	for p, flips := range asked {
		p.ask(t, flips)
	}
	for _, x := range all {
		t.Logf("%s: %d bytes, %d bits changed: %d errors, %d with the same values, %d with other values", x.Name, x.Size, x.Bits, x.Errors, x.Same, x.Wrong)
		if err := x.record(); err != nil {
			t.Error(err)
		}
	}
}

// try reads the file with each of some bits changed.
func (f Format) try(t *testing.T, random *rand.Rand) *tried {
	t.Helper()
	sound, err := f.Read(f.File)
	if err != nil {
		t.Fatalf("%s: the sound file: %v", f.Name, err)
	}
	bits := f.bits(t, random)
	x := &tried{Format: f, Counts: Counts{Format: f.Name, Size: len(f.File), Bits: len(bits), Checked: !f.Unchecked}, sound: sound}
	for _, bit := range bits {
		switch text, err := f.Read(flipped(f.File, bit)); {
		case err != nil:
			x.Errors++
		case text == sound:
			x.Same++
		default:
			x.wrong = append(x.wrong, flip{x, bit, text})
		}
	}
	x.Wrong = len(x.wrong)
	return x
}

// blame reports changes that the reader of a format with a checksum did not notice.
func (x *tried) blame(t *testing.T) {
	t.Helper()
	for _, w := range x.wrong[:min(len(x.wrong), 5)] {
		t.Errorf("%s: the values are others without an error%s", w, difference(x.sound, w.text))
	}
	if len(x.wrong) > 0 {
		t.Errorf("%s: %d of %d changed bits are not noticed", x.Name, len(x.wrong), x.Bits)
	}
}

// sample returns the changes that another program is asked about: all with NPY_CASES, otherwise a few.
func (x *tried) sample() []flip {
	if everyBit() {
		return x.wrong
	}
	return x.wrong[:min(len(x.wrong), 10)]
}

// ask has the program read files with changes that the reader did not notice.
func (p *Program) ask(t *testing.T, flips []flip) {
	t.Helper()
	var files [][]byte
	for _, w := range flips {
		files = append(files, flipped(w.of.File, w.bit))
	}
	for i, text := range p.Read(t, files) {
		switch w := flips[i]; text {
		case w.text:
			w.of.Agreed++
		case "":
			t.Errorf("%s: %s has an error, and the reader has none", w, p.Name)
		default:
			t.Errorf("%s: %s reads other values%s", w, p.Name, difference(text, w.text))
		}
	}
}

// String says which bit was changed.
func (w flip) String() string {
	return fmt.Sprintf("%s: with bit %d of byte %d changed", w.of.Name, w.bit%8, w.bit/8)
}

// everyBit reports whether every bit is tried.
func everyBit() bool { return os.Getenv("NPY_CASES") != "" }

// bits returns the bits to change: all with NPY_CASES, otherwise some of them.
func (f Format) bits(t *testing.T, random *rand.Rand) []int {
	t.Helper()
	spans := f.Spans
	if spans == nil {
		spans = [][2]int{{0, len(f.File)}}
	}
	var bits []int
	for _, s := range spans {
		for bit := 8 * s[0]; bit < 8*s[1]; bit++ {
			bits = append(bits, bit)
		}
	}
	if everyBit() {
		return bits
	}
	random.Shuffle(len(bits), func(i, k int) { bits[i], bits[k] = bits[k], bits[i] })
	bits = bits[:min(len(bits), oracle.Cases(t, 40))]
	slices.Sort(bits)
	return bits
}

// flipped returns a copy of a file with one bit changed.
func flipped(file []byte, bit int) []byte {
	b := bytes.Clone(file)
	b[bit/8] ^= 1 << (bit % 8)
	return b
}

// difference returns the first line of two contents that is not the same in both.
func difference(want, got string) string {
	a, b := bytes.Split([]byte(want), []byte("\n")), bytes.Split([]byte(got), []byte("\n"))
	for i := range max(len(a), len(b)) {
		var x, y []byte
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if !bytes.Equal(x, y) {
			return fmt.Sprintf(": %.100q instead of %.100q", y, x)
		}
	}
	return ""
}
