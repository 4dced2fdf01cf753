package record_test

import (
	"testing"
	"time"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/record"
	"github.com/npygo/npy/scalar"
)

type everyKind struct {
	B  bool
	I8 int8
	F8 float64
	U8 uint8
	I2 [3]int16
	C8 complex64
	S  []byte `npy:",S5"`
	U  string `npy:",U3"`
	V  []byte `npy:",V3"`
	F2 scalar.Float16
	G  scalar.LongDouble
	M  time.Time          `npy:",M8[us]"`
	D  scalar.Timedelta64 `npy:",m8[25s]"`
	CG [2]scalar.LongComplex
	N  struct {
		A int8
		B [2]struct {
			C int8
			D uint32
		}
	}
	Last bool
}

// everyKindInPython is a dtype as a Python programmer would write it.
const everyKindInPython = `[('B', '?'), ('I8', 'i1'), ('F8', 'f8'), ('U8', 'u1'), ('I2', 'i2', (3,)), ('C8', 'c8'),
 ('S', 'S5'), ('U', 'U3'), ('V', 'V3'), ('F2', 'f2'), ('G', 'f16'), ('M', 'M8[us]'), ('D', 'm8[25s]'), ('CG', 'c32', (2,)),
 ('N', [('A', 'i1'), ('B', [('C', 'i1'), ('D', 'u4')], (2,))]), ('Last', '?')]`

// The NumPy of this machine lays derived dtypes out in the same way, packed and aligned.
func TestDTypeAgainstNumPy(t *testing.T) {
	type question struct {
		List  string
		Align bool
	}
	questions := []question{{everyKindInPython, false}, {everyKindInPython, true}, {"[('ID', 'i4'), ('Value', 'f8'), ('N', 'i2')]", true}}
	version, answers := oracle.Ask[question, string](t, `
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    print(json.dumps(str(np.lib.format.dtype_to_descr(np.dtype(eval(q['List']), align=q['Align'])))))
`, questions)
	for i, derived := range []func() (dtype.Type, error){
		func() (dtype.Type, error) { return record.DType[everyKind]() },
		func() (dtype.Type, error) { return record.AlignedDType[everyKind]() },
		func() (dtype.Type, error) { return record.AlignedDType[row]() },
	} {
		d, err := derived()
		if err != nil || d.Descr() != answers[i] {
			t.Errorf("NumPy %s, align %v:\ngot  %s, %v\nwant %s", version, questions[i].Align, d, err, answers[i])
		}
	}
}
