package npy_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/internal/plumbing"
	"github.com/npygo/npy/internal/report"
	"github.com/npygo/npy/internal/sink"
)

var errFault = errors.New("fault")

// A faultyFile fails at its n-th call, and at every later call if it stays broken. A write that fails has done half
// of its work.
type faultyFile struct {
	plumbing.File
	left   int
	broken bool
}

func (f *faultyFile) fault() bool {
	f.left--
	return f.left == 0 || f.left < 0 && f.broken
}

func (f *faultyFile) WriteAt(p []byte, at int64) (int, error) {
	if f.fault() {
		n := 0
		if at >= 128 || !f.broken { // after a lasting fault a header is written whole or not at all
			n, _ = f.File.WriteAt(p[:len(p)/2], at)
		}
		return n, errFault
	}
	return f.File.WriteAt(p, at)
}

func (f *faultyFile) Truncate(size int64) error {
	if f.fault() {
		return errFault
	}
	return f.File.Truncate(size)
}

func (f *faultyFile) Sync() error {
	if f.fault() {
		return errFault
	}
	return f.File.Sync()
}

// appendTo sets what Appenders write to until restore is called.
func appendTo(wrap func(plumbing.File) plumbing.File) (restore func()) {
	before := plumbing.AppendTo
	plumbing.AppendTo = wrap
	return func() { plumbing.AppendTo = before }
}

// A fault at each system call, once or lasting, leaves a file that opens and has the acknowledged elements.
func TestAppendFaults(t *testing.T) {
	for n := range 15 {
		for _, broken := range []bool{false, true} {
			path := filepath.Join(t.TempDir(), "a.npy")
			if err := npy.Save(path, []int64{0}); err != nil {
				t.Fatal(err)
			}
			restore := appendTo(func(f plumbing.File) plumbing.File { return &faultyFile{f, n + 1, broken} })
			a, err := npy.Encoder{Sync: true}.OpenAppend(path)
			restore()
			if err != nil {
				t.Fatal(err)
			}
			acknowledged, failed := 1, false
			for i := range 3 {
				row := []int64{int64(i + 1), int64(i + 1), int64(i + 1)}
				if err := npy.AppendRows(a, row); err == nil {
					acknowledged += 3
				} else if failed = true; !errors.Is(err, errFault) {
					t.Errorf("call %d: %v", n, err)
				}
			}
			if !failed {
				t.Errorf("call %d: no error", n)
			}
			a.Close()
			data, _, err := npy.Load[int64](path)
			if err != nil || len(data) != acknowledged && len(data) != acknowledged+3 {
				t.Errorf("call %d, broken %v: %v, %v, of which %d are acknowledged", n, broken, data, err, acknowledged)
			}
			for i := 1; i < len(data); i++ {
				if i%3 != 1 && data[i] != data[i-1] || data[i] == 0 {
					t.Errorf("call %d, broken %v: a row in part: %v", n, broken, data)
				}
			}
			if info, err := os.Stat(path); err != nil || info.Size() < 136 {
				t.Errorf("call %d: %v", n, err)
			}
		}
	}
}

// A tornFile tries every way in which a power failure can tear each write to the header, before it makes the write.
type tornFile struct {
	plumbing.File
	t      *testing.T
	header int64 // its length
	axis   int
	unit   int64 // bytes that are written whole or not at all
	tried  *int
}

// powerCuts counts the headers that power failures could have left. powerPage names the document with the count.
var (
	powerCuts int
	powerPage = flag.String("report", "", "the `document` whose section power gets what was tried")
)

func (f tornFile) WriteAt(p []byte, at int64) (int, error) {
	if at < f.header {
		f.t.Helper()
		*f.tried++
		now := make([]byte, f.header)
		if _, err := f.ReadAt(now, 0); err != nil {
			f.t.Fatal(err)
		}
		powerCuts += 1 << (1 + (at+int64(len(p))-1)/f.unit - at/f.unit)
		if torn := tornLengths(f.t, now, p, at, f.axis, f.unit); len(torn) > 0 {
			f.t.Errorf("bytes %d to %d are written at once: torn at sectors of %d bytes, the file has length %v", at, at+int64(len(p)), f.unit, torn)
		}
	}
	return f.File.WriteAt(p, at)
}

// tornLengths applies each subset of the sectors of a write to a header. It returns the lengths other than the
// lengths before and after the write, and -1 for a header that cannot be read.
func tornLengths(t *testing.T, head, p []byte, at int64, axis int, unit int64) (torn []int) {
	t.Helper()
	read := func(head []byte) int {
		h, err := format.Decoder{MaxHeader: -1}.ReadHeader(bytes.NewReader(head))
		if err != nil {
			return -1
		}
		return h.Shape[axis]
	}
	end := at + int64(len(p))
	first, sectors := at/unit, (end-1)/unit-at/unit+1
	if sectors > 10 {
		t.Fatalf("a write of %d sectors", sectors)
	}
	whole := append(append(slices.Clone(head[:at]), p...), head[end:]...)
	before, after := read(head), read(whole)
	for subset := range 1 << sectors {
		mixed := slices.Clone(head)
		for i := range sectors {
			if low, high := (first+i)*unit, min((first+i+1)*unit, int64(len(head))); subset>>i&1 == 1 {
				copy(mixed[low:high], whole[low:high])
			}
		}
		if n := read(mixed); n != before && n != after || n < 0 {
			torn = append(torn, n)
		}
	}
	return torn
}

// longHeader returns a dtype whose descr has about n bytes.
func longHeader(n int) dtype.Type {
	return must(dtype.Struct(1, dtype.Field{Name: strings.Repeat("n", n), DType: dtype.Uint8}))
}

// A borderCase is an array whose shape is near the end of a sector in the header.
type borderCase struct {
	name    string
	unit    int // the length of sectors
	sync    bool
	end     int // where the sector ends, after the start of the shape
	shape   []int
	fortran bool
}

// run appends to the file four times. It reports whether the Appender fitted the header, and whether NumPy's header
// would have been torn.
func (c borderCase) run(t *testing.T, path string) (fitted, wouldTear bool) {
	t.Helper()
	start := len("{'descr': [('', '|u1')], 'fortran_order': False, 'shape': (") + 10
	whole := must(npy.New(longHeader(c.unit-start-c.end), c.shape...))
	axis, index := 0, []npy.Index{npy.SpanTo(1)}
	if c.fortran {
		whole = whole.Fortran()
		axis = len(c.shape) - 1
		index = append(slices.Repeat([]npy.Index{npy.All()}, axis), npy.SpanTo(1))
	}
	if err := npy.WriteFile(path, whole); err != nil {
		t.Fatal(err)
	}
	row := must(whole.Slice(index...))
	tried := 0
	defer appendTo(func(f plumbing.File) plumbing.File {
		h := must(format.Decoder{MaxHeader: -1}.ReadHeader(io.NewSectionReader(f, 0, math.MaxInt64)))
		return tornFile{File: f, t: t, header: h.DataOffset, axis: axis, unit: int64(c.unit), tried: &tried}
	})()
	a, err := npy.Encoder{Sync: c.sync}.OpenAppend(path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for n := range 4 {
		h := a.Header()
		plain := must(h.Append(nil))
		h.Shape[axis]++
		if longer := must(h.Append(nil)); len(longer) == len(plain) {
			low, high := sink.Changed(plain, longer)
			wouldTear = wouldTear || len(tornLengths(t, plain, longer[low:high], int64(low), axis, int64(c.unit))) > 0
		}
		if err := a.Append(row); err != nil {
			t.Fatal(err)
		}
		f := must(npy.Open(path))
		if got, want := f.Shape()[axis], c.shape[axis]+n+1; got != want {
			t.Fatalf("length %d after %d appends, want %d", got, n+1, want)
		}
		f.Close()
	}
	if tried != 4 {
		t.Errorf("%d writes to the header, want 4", tried)
	}
	head := must(os.ReadFile(path))[:a.Header().DataOffset]
	return bytes.Equal(head, must(sink.FitHeader(a.Header()))), wouldTear
}

// A write that is torn at the end of any sector or page of a header leaves the old shape or the new one.
func TestAppendTorn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not replace files that are open")
	}
	dir := t.TempDir()
	fitted, torn := 0, 0
	for _, unit := range []int{sink.SectorSize, sink.PageSize} {
		for end := -2; end < 32; end++ {
			for _, shape := range [][]int{{8}, {98, 1, 2}} {
				for _, fortran := range []bool{false, true} {
					c := borderCase{unit: unit, sync: unit == sink.SectorSize, end: end, shape: shape, fortran: fortran}
					c.name = fmt.Sprintf("%d-%d-%d-%v", unit, end, len(shape), fortran)
					t.Run(c.name, func(t *testing.T) {
						fits, tears := c.run(t, filepath.Join(dir, c.name+".npy"))
						if tears && !fits {
							t.Error("NumPy's header can be torn here, and was not replaced")
						}
						if fits {
							fitted++
						}
						if tears {
							torn++
						}
					})
				}
			}
		}
	}
	if fitted == 0 || torn == 0 {
		t.Errorf("%d headers were fitted, %d of NumPy's can be torn: no case lies on a border", fitted, torn)
	}
	wantSizes(t, dir)
	if *powerPage != "" && !t.Failed() {
		text := fmt.Sprintf("%d files, %d headers with some of the sectors or pages of a write and not the others: 0 rows lost, and NumPy loads all files. "+
			"Of NumPy's own headers %d would have been torn.\n", 2*34*4, powerCuts, torn)
		if err := report.Write(*powerPage, "power", text); err != nil {
			t.Error(err)
		}
	}
}

// wantSizes loads all files of a folder with NumPy.
func wantSizes(t *testing.T, dir string) {
	t.Helper()
	paths := must(filepath.Glob(filepath.Join(dir, "*.npy")))
	var want strings.Builder
	for _, path := range paths {
		f := must(npy.Open(path))
		fmt.Fprintln(&want, f.Header().Size())
		f.Close()
	}
	got := oracle.NumPy(t, `
for path in sys.argv[1:]:
    print(np.load(path).size)`, nil, paths...)
	if string(got) != want.String() {
		t.Errorf("NumPy loads other sizes than we do")
	}
}

// NumPy reads a fitted header. Its field lies in one sector. When the shape grows, its length and all else stay.
func FuzzFitHead(f *testing.F) {
	for n := range 100 {
		f.Add(n*13, 5, 3, 1_000_000, n%2 == 0, byte(n))
	}
	f.Add(65_440, 1, 1, 1, false, byte(1))
	f.Fuzz(func(t *testing.T, long, a, b, later int, fortran bool, version byte) {
		if long < 0 || long > 70_000 || a < 0 || b < 0 || later < 0 {
			return
		}
		h := format.Header{DType: longHeader(long + 1), Shape: []int{a, b}, FortranOrder: fortran, Version: format.Version{Major: version % 4}}
		numpy, err := h.Append(nil)
		if err != nil {
			return
		}
		fitted, err := sink.FitHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		d := format.Decoder{MaxHeader: -1}
		want, err := d.ReadHeader(strings.NewReader(string(numpy)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.ReadHeader(strings.NewReader(string(fitted)))
		if err != nil {
			t.Fatal(err)
		}
		if got.DataOffset != int64(len(fitted)) || got.DataOffset%64 != 0 || !got.DType.Equal(want.DType) || !slices.Equal(got.Shape, want.Shape) || got.FortranOrder != fortran {
			t.Errorf("%+v has become %+v", want, got)
		}
		axis := 0
		if fortran {
			axis = 1
		}
		got.Shape[axis] = later
		if got.Validate() != nil {
			return
		}
		grown, err := sink.FitHeader(got)
		if err != nil || len(grown) != len(fitted) {
			t.Fatalf("the header of %d bytes has %d for another shape, error %v", len(fitted), len(grown), err)
		}
		if low, high := sink.Changed(fitted, grown); high > low && low/sink.SectorSize != (high-1)/sink.SectorSize || high-low > format.GrowthAxisMaxDigits {
			t.Errorf("bytes %d to %d change, which are not in one sector", low, high)
		}
	})
}
