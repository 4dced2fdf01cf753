package hdf5

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/hdf5/internal/storage"
	"github.com/npygo/npy/internal/oracle"
)

// A specimen is a sound file, and the places of its structures.
type specimen struct {
	name   string
	data   []byte
	places []int    // where structures begin
	sums   []summed // structures that a checksum follows
}

type summed struct{ start, end int }

// signatures begin the structures of the format.
var signatures = []string{"\x89HDF", "TREE", "SNOD", "HEAP", "GCOL", "OHDR", "OCHK", "BTHD", "BTIN", "BTLF", "FRHP", "FHDB", "FHIB", "FAHD", "FADB", "EAHD", "EAIB", "EASB", "EADB"}

func newSpecimen(name string, data []byte) specimen {
	s := specimen{name: name, data: data}
	for _, signature := range signatures {
		for at := 0; ; {
			i := bytes.Index(data[at:], []byte(signature))
			if i < 0 {
				break
			}
			at += i
			s.places = append(s.places, at)
			for end := at + 4; end+4 <= len(data) && end < at+2500; end++ {
				if binary.LittleEndian.Uint32(data[end:]) == storage.Lookup3(data[at:end]) {
					s.sums = append(s.sums, summed{at, end})
					break
				}
			}
			at += 4
		}
	}
	// Headers of version 1 have no signature; their addresses do, in symbol tables and links.
	for at := 0; at+8 <= len(data); at += 8 {
		if p := binary.LittleEndian.Uint64(data[at:]); p > 0 && p < uint64(len(data))-16 && data[p] == 1 && data[p+1] == 0 {
			s.places = append(s.places, int(p), at)
		}
	}
	slices.Sort(s.places)
	return s
}

// specimens returns files of every level.
func specimens(t testing.TB) []specimen {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.h5")
	if err != nil || len(paths) < 5 {
		t.Fatal(paths, err)
	}
	for _, pattern := range []string{"testdata/others/*.h5", "testdata/others/*.nc", "testdata/others/*.mat"} {
		others, err := filepath.Glob(pattern)
		if err != nil || len(others) == 0 {
			t.Fatal(others, err)
		}
		paths = append(paths, others...)
	}
	var list []specimen
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, newSpecimen(filepath.Base(path), data))
	}
	return list
}

var extremes = []uint64{0, 1, 2, 3, 4, 7, 8, 255, 256, 65535, 65536, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 48, 1<<62 - 1, 1 << 62, 1<<63 - 1, 1 << 63, math.MaxUint64 - 7, math.MaxUint64 - 1, math.MaxUint64}

// mutate returns the file with changes, each of eight bytes of ops: bits, bytes, sizes and addresses, parts copied to
// other places, and the end cut off. The checksums of the structures are right again then, so that protected structures are read.
func (s specimen) mutate(ops []byte) []byte {
	b := bytes.Clone(s.data)
	for ; len(ops) >= 8 && len(b) > 16; ops = ops[8:] {
		kind, x, y := ops[0], binary.LittleEndian.Uint32(ops), binary.LittleEndian.Uint32(ops[4:])
		at := int(y>>8) % len(b)
		if kind&15 > 1 {
			at = min(s.places[int(x>>8)%len(s.places)]+int(y>>16)%(1<<(3+y>>8&7)), len(b)-1)
		}
		word := b[at:min(at+8, len(b))]
		var value [8]byte
		binary.LittleEndian.PutUint64(value[:], extremes[y%uint32(len(extremes))])
		switch kind >> 4 {
		case 0:
			word[0] = byte(y)
		case 1:
			word[0] ^= 1 << (y & 7)
		case 2:
			word[0] += byte(y&7) - 3
		case 3, 4:
			copy(word, value[:1<<(y>>5&3)])
		case 5, 6:
			copy(word, value[:])
		case 7, 8, 9: // an address of another structure
			binary.LittleEndian.PutUint64(value[:], uint64(s.places[int(y%uint32(len(s.places)))]))
			copy(word, value[:])
		case 10, 11:
			from := min(s.places[int(y%uint32(len(s.places)))], len(b))
			copy(b[at:], b[from:min(from+8<<(y>>8&7), len(b))])
		case 12:
			b = b[:at]
		case 13:
			copy(word, b[max(at-8, 0):])
		default:
			copy(word, b[min(at+8, len(b)):])
		}
	}
	for i := range s.sums { // inner structures do not exist, so any order will do
		if sum := s.sums[i]; sum.end+4 <= len(b) {
			binary.LittleEndian.PutUint32(b[sum.end:], storage.Lookup3(b[sum.start:sum.end]))
		}
	}
	return b
}

// readThrough reads all readable contents of a file: entries, attributes, and the first blocks of every dataset.
func readThrough(data []byte) error {
	r, err := NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	var errs []error
	add := func(err error) {
		if err != nil && len(errs) < 4 {
			errs = append(errs, err)
		}
	}
	readAttributes := func(path string) {
		attributes, err := r.Attributes(path)
		add(err)
		for _, a := range attributes {
			add(a.Err)
		}
	}
	readAttributes("")
	n := 0
	for e := range r.Entries() {
		if add(e.Err); e.Err != nil {
			continue
		}
		if n++; n > 3000 {
			continue // the rest is listed only
		}
		readAttributes(e.Path)
		if e.Group {
			continue
		}
		src, err := r.Source(e.Path)
		if add(err); err != nil {
			continue
		}
		blocks := 0
		for _, err := range src.Blocks(context.Background(), 64<<10) {
			if blocks++; blocks == 40 {
				break
			}
			if !errors.Is(err, npy.ErrLimit) { // of more than the file can hold
				add(err)
			}
		}
		add(readRegions(src))
	}
	return errors.Join(errs...)
}

// readRegions reads an element of each of the first regions of a dataset.
func readRegions(src npy.Source) error {
	r, err := npy.RegionsOf(context.Background(), src)
	if r == nil {
		return err
	}
	n := 0
	for x := range r.All {
		if n++; n > 40 {
			continue // the others are counted
		}
		index := make([]npy.Index, len(x.Origin))
		for i, low := range x.Origin {
			index[i] = npy.At(low)
		}
		one, err := src.Select(index...)
		if err != nil {
			return err
		}
		a, err := one.ReadAll(context.Background())
		if err != nil {
			return err
		}
		if x.Value != nil && !bytes.Equal(a.Bytes(), x.Value.Bytes()) {
			return fmt.Errorf("the first element of region %d is %x, and its value %x", n, a.Bytes(), x.Value.Bytes())
		}
	}
	return nil
}

// The cost of one file, whatever its bytes are. Reading a sound one takes 30 ms and 30 MB.
const (
	mostTime  = 20 * time.Second
	mostBytes = 1 << 30
)

// checkBounded reads a file, called what, and fails if that costs too much.
func checkBounded(t testing.TB, what string, data []byte) {
	t.Helper()
	watchdog := time.AfterFunc(3*mostTime, func() {
		path := filepath.Join(os.TempDir(), "endless.h5")
		_ = os.WriteFile(path, data, 0o666)
		panic(fmt.Sprintf("%s does not end: it is %s", what, path))
	})
	defer watchdog.Stop()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := oracle.CPUTime()
	err := readThrough(data)
	took := oracle.CPUTime() - start
	runtime.ReadMemStats(&after)
	if took > mostTime {
		t.Errorf("%s: reading took %v (error %v)", what, took, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > mostBytes {
		t.Errorf("%s: reading allocated %d MB (error %v)", what, n>>20, err)
	}
	if t.Failed() && os.Getenv("NPY_KEEP") != "" {
		_ = os.WriteFile(filepath.Join(os.Getenv("NPY_KEEP"), fmt.Sprintf("%x.h5", storage.Lookup3(data))), data, 0o666)
	}
}

// Mutations of files of every level end in errors, or in values, in bounded time and memory. NPY_CASES reads more of them.
func TestMutations(t *testing.T) {
	list := specimens(t)
	seed := oracle.Seed(t)
	n := oracle.Cases(t, 400)
	if testing.Short() {
		n /= 8
	}
	slowest := time.Duration(0)
	for i := range n {
		s := list[i%len(list)]
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		ops := make([]byte, 8*(1+r.IntN(3)))
		for k := range ops {
			ops[k] = byte(r.Uint32())
		}
		start := time.Now()
		checkBounded(t, fmt.Sprintf("%s with %x", s.name, ops), s.mutate(ops))
		slowest = max(slowest, time.Since(start))
		if t.Failed() {
			return
		}
	}
	t.Logf("%d files, the slowest took %v", n, slowest)
}

// Mutations that have cost too much before, which samples rarely meet.
func TestKnownMutations(t *testing.T) {
	known := map[string][]string{
		"layouts-latest.h5": {"70113956b45f18ae2b008b800e8cb3546515e5fd593bf88f"}, // an element of 2 GiB
	}
	for _, s := range specimens(t) {
		for _, text := range known[s.name] {
			ops, err := hex.DecodeString(text)
			if err != nil {
				t.Fatal(err)
			}
			checkBounded(t, s.name+" with "+text, s.mutate(ops))
		}
	}
}

// Every file that is cut off, and a file of every length, has an end.
func TestTruncations(t *testing.T) {
	random := oracle.Rand(t)
	for _, s := range specimens(t) {
		step := 1 + len(s.data)/oracle.Cases(t, 40)
		for n := random.IntN(step); n < len(s.data); n += step {
			checkBounded(t, fmt.Sprintf("the first %d bytes of %s", n, s.name), s.data[:n])
		}
	}
}

// A sound file is read without an error, so that the mutations begin with something.
func TestSpecimens(t *testing.T) {
	for _, s := range specimens(t) {
		large := s.name == "huge.h5" && storage.MaxInt>>32 == 0 // 32 bits cannot address its arrays
		if err := readThrough(s.data); err != nil && !large && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", s.name, err)
		}
		if !bytes.Equal(s.mutate(nil), s.data) {
			t.Errorf("%s: other bytes without a change", s.name)
		}
	}
}

func FuzzMutations(f *testing.F) {
	list := specimens(f)
	for i := range list {
		f.Add(uint8(i), []byte("\x22aaaaaaa"))
	}
	f.Fuzz(func(t *testing.T, which uint8, ops []byte) {
		s := list[int(which)%len(list)]
		checkBounded(t, s.name, s.mutate(ops[:min(len(ops), 64)]))
	})
}
