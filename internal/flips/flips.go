// Package flips changes one bit of a file at a time, for tests of readers, and counts what the reader makes of each such
// file: an error, the same values as before, or other values. Other values are a fault if the format has a checksum.
// Without a checksum some changes cannot be noticed: then another program must read the same values.
//
// A test tries some bits, chosen at random. With NPY_CASES set it tries every bit, and appends the counts to the file
// that NPY_FLIPS names.
package flips

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

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

	// Other asks another program for the contents of files. The text of a file that it cannot read is "". It is nil if
	// there is none.
	Other func(t testing.TB, files [][]byte) []string

	// Program is the name of that program.
	Program string
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
	bit  int
	text string
}

// Test tries bits of a file.
func (f Format) Test(t *testing.T) {
	t.Helper()
	sound, err := f.Read(f.File)
	if err != nil {
		t.Fatalf("%s: the sound file: %v", f.Name, err)
	}
	bits := f.bits(t)
	c := Counts{Format: f.Name, Size: len(f.File), Bits: len(bits), Checked: !f.Unchecked}
	var wrong []flip
	for _, bit := range bits {
		switch text, err := f.Read(flipped(f.File, bit)); {
		case err != nil:
			c.Errors++
		case text == sound:
			c.Same++
		default:
			wrong = append(wrong, flip{bit, text})
		}
	}
	c.Wrong = len(wrong)
	f.judge(t, &c, wrong, sound)
	t.Logf("%s: %d bytes, %d bits changed: %d errors, %d with the same values, %d with other values", f.Name, c.Size, c.Bits, c.Errors, c.Same, c.Wrong)
	if err := c.record(); err != nil {
		t.Error(err)
	}
}

// judge reports changes that the reader must have noticed.
func (f Format) judge(t *testing.T, c *Counts, wrong []flip, sound string) {
	t.Helper()
	if len(wrong) == 0 {
		return
	}
	if !f.Unchecked {
		for _, x := range wrong[:min(len(wrong), 5)] {
			t.Errorf("%s: with bit %d of byte %d changed the values are others without an error%s", f.Name, x.bit%8, x.bit/8, difference(sound, x.text))
		}
		t.Errorf("%s: %d of %d changed bits are not noticed", f.Name, len(wrong), c.Bits)
		return
	}
	if f.Other == nil {
		return
	}
	if os.Getenv("NPY_CASES") == "" {
		wrong = wrong[:min(len(wrong), 25)]
	}
	var files [][]byte
	for _, x := range wrong {
		files = append(files, flipped(f.File, x.bit))
	}
	c.Program = f.Program
	for i, text := range f.Other(t, files) {
		x := wrong[i]
		if text == x.text {
			c.Agreed++
			continue
		}
		if text == "" {
			t.Errorf("%s: with bit %d of byte %d changed %s has an error, and the reader has none", f.Name, x.bit%8, x.bit/8, f.Program)
			continue
		}
		t.Errorf("%s: with bit %d of byte %d changed %s reads other values%s", f.Name, x.bit%8, x.bit/8, f.Program, difference(text, x.text))
	}
}

// bits returns the bits to change: all with NPY_CASES, otherwise some of them.
func (f Format) bits(t *testing.T) []int {
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
	if os.Getenv("NPY_CASES") != "" {
		return bits
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("%s: seed %d", f.Name, seed)
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(bits), func(i, k int) { bits[i], bits[k] = bits[k], bits[i] })
	bits = bits[:min(len(bits), oracle.Cases(t, 100))]
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
