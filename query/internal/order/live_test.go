package order

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/query/internal/sortkey"
)

// sortCases makes random arrays with many equal values and has NumPy sort them. Every case is an array file, the keys
// and the positions of the rows in sorted order.
const sortCases = `
import os
folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(seed)
plain = '? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8 g F D G S0 S1 S7 S8 S9 S20 U1 U2 U3 U5 V3 V9 M8[s] M8[D] m8[ms]'.split()
odd = [0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1.5, -1.5, 1e-8, -1e-8]
def values(dt, n):
    few = max(1, int(rng.integers(1, 12)))
    if dt.kind in 'fc':
        x = np.array(odd + list(rng.standard_normal(few)))
        a = rng.choice(x, n)
        if dt.kind == 'c':
            c = np.empty(n, 'c16'); c.real = a; c.imag = rng.choice(x, n); a = c
        with np.errstate(all='ignore'):
            a = a.astype(dt)
        return a if rng.integers(2) else np.where(np.isnan(a), dt.type(np.nan), a).astype(dt)
    if dt.kind in 'Mm':
        a = rng.integers(-3, 3 if rng.integers(2) else 2**62, n)
        a[rng.random(n) < .2] = -2**63
        return a.astype('i8').view(dt.newbyteorder('=')).astype(dt)
    if dt.kind == 'U':
        return np.array([''.join(map(chr, rng.choice([0x41, 0x42, 0x7f, 0x100, 0xffff, 0x10ffff], rng.integers(0, max(dt.itemsize // 4, 1) + 1)))) for _ in range(n)], dtype=dt)
    if dt.kind == 'b':
        return rng.integers(0, 2, n).astype(dt)
    raw = rng.choice(np.array([0, 0, 0, 1, 0x7f, 0x80, 0xff], 'u1'), n * dt.itemsize)
    if dt.itemsize == 0:
        return np.zeros(n, dt)
    return raw.view(dt).copy()
def some():
    dt = np.dtype(str(rng.choice(plain)))
    return dt.newbyteorder('>') if rng.integers(3) == 0 else dt
out = []
for i in range(count):
    n = int(rng.choice([0, 1, 2, 3, 30, 500, 3000]))
    if i % 40 == 39:
        n = 300000
    kind = int(rng.integers(4))
    keys = ''
    if kind == 0:
        dt = some()
        while n > 3000 and dt.kind == 'U': dt = some()
        a = values(dt, n)
        perm = np.argsort(a, kind='stable')
    elif kind == 1:
        dt = some()
        while dt.kind in 'SUV': dt = some()
        cols = int(rng.integers(1, 5))
        a = values(dt, n * cols).reshape(n, cols)
        k = int(rng.integers(cols))
        keys, perm = str(k - cols * int(rng.integers(2))), np.argsort(a[:, k], kind='stable')
    else:
        fields = []
        for j in range(int(rng.integers(1, 5))):
            dt = some()
            while n > 3000 and dt.kind == 'U': dt = some()
            fields.append(('f%d' % j, [('in', dt), ('k', 'i1')] if rng.integers(5) == 0 else dt))
        a = np.zeros(n, np.dtype(fields, align=bool(rng.integers(2))))
        for name, f in fields:
            if isinstance(f, list):
                a[name]['in'] = values(f[0][1], n)
                a[name]['k'] = values(np.dtype('i1'), n)
            else:
                a[name] = values(f, n)
        names = []
        for name, f in fields:
            names += [(name + '.in', a[name]['in']), (name + '.k', a[name]['k'])] if isinstance(f, list) else [(name, a[name])]
        if kind == 2 and n <= 3000 and 'f2' not in str(a.dtype): # in records NumPy puts NaN of float16 first
            perm = np.argsort(a, kind='stable')
        else:
            if kind == 3:
                names = names[:int(rng.integers(1, len(names) + 1))][::-1]
                keys = ','.join(name for name, _ in names)
            perm = np.arange(n)
            for name, column in names[::-1]:
                if column.dtype.itemsize: # a copy of a column without bytes has some
                    perm = perm[np.argsort(column[perm], kind='stable')]
    np.save(os.path.join(folder, '%d.npy' % i), a)
    out.append({'keys': keys, 'dtype': str(a.dtype), 'perm': perm.tolist()})
print(json.dumps(out))
`

type sortCase struct {
	Keys, DType string
	Perm        []int
}

// Random arrays are sorted as by NumPy: positions, arrays in memory, runs merged from a file.
func TestSortAsNumPy(t *testing.T) {
	folder := t.TempDir()
	var cases []sortCase
	answer := oracle.NumPy(t, sortCases, nil, folder, fmt.Sprint(oracle.Cases(t, 400)), "7")
	if err := json.Unmarshal(answer, &cases); err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		path := filepath.Join(folder, fmt.Sprintf("%d.npy", i))
		name := fmt.Sprintf("case %d: %s of %d rows by %q", i, c.DType, len(c.Perm), c.Keys)
		a, err := npy.ReadFile(path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s := Sort{}
		if c.Keys != "" {
			for name := range strings.SplitSeq(c.Keys, ",") {
				s.By = append(s.By, sortkey.Key{Field: name})
			}
		}
		got, err := s.Argsort(t.Context(), a)
		if err != nil {
			t.Errorf("%s: Argsort: %v", name, err)
			continue
		}
		if !slices.Equal(got, c.Perm) {
			t.Errorf("%s: Argsort differs first at %d", name, firstDifference(got, c.Perm))
			continue
		}
		want := must(npy.Take(t.Context(), a, c.Perm)).Bytes()
		sorted, err := s.Array(t.Context(), a)
		if err != nil || !bytes.Equal(sorted.Bytes(), want) {
			t.Errorf("%s: Array differs, error %v", name, err)
		}
		f := must(npy.Open(path))
		s.rowsInMemory = max(len(c.Perm)/(1+i%40), 16)
		if err := s.WriteFile(t.Context(), path, f); err != nil {
			t.Errorf("%s: WriteFile: %v", name, err)
		} else if back := must(npy.ReadFile(path)); !bytes.Equal(back.Bytes(), want) {
			t.Errorf("%s: merged in parts of %d rows, the file differs", name, s.rowsInMemory)
		}
		f.Close()
	}
	if left := must(os.ReadDir(folder)); len(left) != len(cases) {
		t.Errorf("%d files are left of %d", len(left), len(cases))
	}
}

func firstDifference(a, b []int) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
