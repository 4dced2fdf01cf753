package dtype_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
)

// A suite compares one function of this package with the NumPy function that it reimplements: with golden files that
// NumPy 1.24 and 2.5 wrote, and with the installed NumPy.
type suite struct {
	call        string // the Python function
	golden      string // the file, without the NumPy generation and .golden
	texts       func() []string
	parse       func(string) (dtype.Type, error)
	differences []difference
}

// A difference is a deliberate difference from NumPy.
type difference struct {
	name  string
	why   string
	texts *regexp.Regexp // nil for all
	we    verdict
	only  string // the generation of NumPy that differs, 1 or 2; "" for both
	error string // the class that NumPy's error must have; "" for any
}

// covers reports whether d describes the difference that was found.
func (d difference) covers(generation, text string, a answer, found verdict) bool {
	return d.we == found && (d.only == "" || d.only == generation) && strings.HasPrefix(a.Error, d.error) &&
		(d.texts == nil || d.texts.MatchString(text))
}

// generations are the generations of NumPy: the first digit of the version.
var generations = []string{"1", "2"}

// A verdict is this package's result where it differs from NumPy's.
type verdict string

const (
	accept  verdict = "accept"
	refuse  verdict = "refuse"
	another verdict = "read as another type"
)

// compare describes how our result differs from NumPy's answer. It returns "" if they agree.
func compare(a answer, got dtype.Type, err error) (verdict, string) {
	switch {
	case a.Error != "" && err != nil:
		return "", ""
	case a.Error != "":
		return accept, fmt.Sprintf("got %s, NumPy says %s", got, a.Error)
	case err != nil:
		return refuse, fmt.Sprintf("got %v, NumPy reads %s", err, a.Descr)
	case !sameDescr(a.Descr, got) || a.Name != got.Name() || a.ItemSize != got.ItemSize():
		return another, fmt.Sprintf("got %s, %s of %d bytes, NumPy reads %s, %s of %d bytes",
			got, got.Name(), got.ItemSize(), a.Descr, a.Name, a.ItemSize)
	}
	return "", ""
}

// sameDescr compares t with a descr that was written on a little-endian machine.
func sameDescr(descr string, t dtype.Type) bool {
	if dtype.NativeEndian == dtype.LittleEndian {
		return t.Descr() == descr
	}
	want, err := dtype.Parse(descr)
	return err == nil && want.WithByteOrder(dtype.LittleEndian).Equal(t.WithByteOrder(dtype.LittleEndian))
}

// nativeAndMore matches a native order followed by an explicit order, which is a contradiction on only one kind of
// machine.
var nativeAndMore = regexp.MustCompile(`[=|][(\d,)]*[<>]`)

// check reports a difference that is not listed. It returns the index of one that is listed.
func (s suite) check(t *testing.T, generation, text string, a answer) int {
	t.Helper()
	got, err := s.parse(text)
	verdict, message := compare(a, got, err)
	if verdict == "" || dtype.NativeEndian == dtype.BigEndian && nativeAndMore.MatchString(text) {
		return -1
	}
	for i, d := range s.differences {
		if d.covers(generation, text, a, verdict) {
			return i
		}
	}
	t.Errorf("NumPy %s: %q: %s", generation, text, message)
	return -1
}

func (s suite) testGolden(t *testing.T) {
	used := make([]bool, len(s.differences))
	for _, generation := range generations {
		golden := s.readGolden(t, generation)
		for _, text := range s.texts() {
			a, ok := golden[text]
			if !ok {
				t.Fatalf("%q is not in the golden file of NumPy %s: run go test -run Live -update with it", text, generation)
			}
			if i := s.check(t, generation, text, a); i >= 0 {
				used[i] = true
			}
		}
	}
	for i, d := range s.differences {
		if !used[i] {
			t.Errorf("difference %q is not there any more", d.name)
		}
	}
}

func (s suite) testLive(t *testing.T) {
	texts := s.texts()
	version, answers := askNumPy(t, s.call, texts)
	generation := version[:1]
	if *update {
		s.writeGolden(t, version, texts, answers)
	}
	golden := s.readGolden(t, generation)
	for i, text := range texts {
		if got, want := goldenLine(text, answers[i]), goldenLine(text, golden[text]); got != want {
			t.Errorf("NumPy %s says %s, golden file: %s", version, got, want)
		}
	}
	s.checkLive(t, version, texts, answers)
}

// checkLive compares with NumPy.
func (s suite) checkLive(t *testing.T, version string, texts []string, answers []answer) {
	t.Helper()
	for i, text := range texts {
		a := answers[i]
		got, err := s.parse(text)
		if listed := s.check(t, version[:1], text, a); listed >= 0 || err != nil || a.Error != "" || got.Descr() != a.Descr {
			continue
		}
		if kind := string(rune(got.Kind())); kind != a.Kind || got.HasObject() != a.Object {
			t.Errorf("%q: kind %s, objects %t, NumPy: %s, %t", text, kind, got.HasObject(), a.Kind, a.Object)
		}
		if swapped := swap(got).Descr(); swapped != a.Swapped {
			t.Errorf("%q in the other order is %s, NumPy: %s", text, swapped, a.Swapped)
		}
		// dtype.isnative ignores the base of a subarray, so it is True for (">i4", (2,)).
		if !strings.Contains(a.Descr, ", (") && got.IsNative() != a.Native {
			t.Errorf("%q: native %t, NumPy: %t", text, got.IsNative(), a.Native)
		}
		checkFields(t, text, got, a.Fields)
	}
}

func checkFields(t *testing.T, text string, got dtype.Type, want [][]any) {
	t.Helper()
	var fields [][]any
	for i := range got.NumField() {
		f := got.Field(i)
		fields = append(fields, []any{hex.EncodeToString([]byte(f.Name)), float64(f.Offset), f.DType.Descr()})
	}
	if fmt.Sprint(fields) != fmt.Sprint(want) {
		t.Errorf("%q: fields %v, NumPy: %v", text, fields, want)
	}
}

// swap swaps the byte order of every number in t, as newbyteorder('S') does.
func swap(t dtype.Type) dtype.Type {
	switch {
	case t.IsStruct():
		fields := t.Fields()
		for i := range fields {
			fields[i].DType = swap(fields[i].DType)
		}
		u, err := dtype.Struct(t.ItemSize(), fields...)
		if err != nil {
			panic(err)
		}
		return u
	case t.IsSubarray():
		return subarray(swap(t.Elem()), t.SubShape()...)
	case t.ByteOrder() == dtype.LittleEndian:
		return t.WithByteOrder(dtype.BigEndian)
	}
	return t.WithByteOrder(dtype.LittleEndian)
}

// goldenLine is one line of the golden file: text, descr, name and size, or text and error.
func goldenLine(text string, a answer) string {
	if a.Error != "" {
		kind, _, _ := strings.Cut(a.Error, ":") // only the class is compared: messages change
		return fmt.Sprintf("%q\t!%s", text, kind)
	}
	return fmt.Sprintf("%q\t%s\t%s\t%d", text, a.Descr, a.Name, a.ItemSize)
}

func (s suite) writeGolden(t *testing.T, version string, texts []string, answers []answer) {
	t.Helper()
	var out bytes.Buffer
	fmt.Fprintf(&out, "# What %s makes of a text: descr, name, itemsize. NumPy %s, little-endian Linux.\n", s.call, version)
	for i, text := range texts {
		fmt.Fprintln(&out, goldenLine(text, answers[i]))
	}
	if err := os.WriteFile(s.goldenFile(version[:1]), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (s suite) goldenFile(generation string) string {
	return s.golden + "-" + generation + ".golden"
}

func (s suite) readGolden(t *testing.T, generation string) map[string]answer {
	t.Helper()
	data, err := os.ReadFile(s.goldenFile(generation))
	if err != nil {
		t.Fatal(err)
	}
	golden := make(map[string]answer)
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		text, err := strconv.Unquote(parts[0])
		if err != nil || len(parts) != 2 && len(parts) != 4 {
			t.Fatalf("%s: bad line %q", s.goldenFile(generation), line)
		}
		if len(parts) == 2 {
			golden[text] = answer{Error: strings.TrimPrefix(parts[1], "!")}
			continue
		}
		size, err := strconv.Atoi(parts[3])
		if err != nil {
			t.Fatalf("%s: bad line %q", s.goldenFile(generation), line)
		}
		golden[text] = answer{Descr: parts[1], Name: parts[2], ItemSize: size}
	}
	return golden
}
