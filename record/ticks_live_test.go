package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/scalar"
)

// askTicks converts a field of records, and prints whether the conversion can be reversed.
const askTicks = `
print(json.dumps(np.__version__))
for line in sys.stdin:
    q = json.loads(line)
    x = np.zeros(len(q['Ticks']), [('a', 'i1'), ('t', q['From']), ('b', 'i2')])
    x['t'] = np.array(q['Ticks'], 'i8').view(q['From'])
    try:
        y = x['t'].astype(q['To'])
        print(json.dumps({'Ticks': y.view('i8').tolist(), 'Back': y.astype(q['From']).view('i8').tolist(), 'Bytes': x.tobytes().hex()}))
    except OverflowError:
        print(json.dumps({'Bytes': x.tobytes().hex()}))
`

// A field of times whose tag has any step, in files of any other step, holds the result of astype without loss, or is
// refused.
func TestTicksLive(t *testing.T) {
	type question struct {
		From, To string
		Ticks    []int64
	}
	type answer struct {
		Ticks, Back []int64
		Bytes       string
	}
	rng := rand.New(rand.NewPCG(13, 1))
	numbers := []int32{1, 1, 1, 2, 3, 7, 10, 25, 1000}
	step := func() dtype.Step {
		return dtype.Step{Num: numbers[rng.IntN(len(numbers))], Unit: dtype.Unit(1 + rng.IntN(13))}
	}
	questions := make([]question, oracle.Cases(t, 2000))
	for i := range questions {
		kind := []string{"M8", "m8"}[rng.IntN(2)]
		q := question{fmt.Sprintf("<%s[%s]", kind, step()), fmt.Sprintf("<%s[%s]", kind, step()), []int64{0, 1, -1, scalar.NaT}}
		for range 8 {
			q.Ticks = append(q.Ticks, int64(rng.Uint64())>>(24+rng.IntN(40)))
		}
		questions[i] = q
	}
	version, answers := oracle.Ask[question, answer](t, askTicks, questions)
	var converted, refused, far, same int
	for i, q := range questions {
		got, err := readTicks(t, q.From, q.To, answers[i].Bytes, len(q.Ticks))
		var value *ValueError
		switch a := answers[i]; {
		case errors.As(err, &value):
			if far++; !errors.Is(err, scalar.ErrRange) {
				t.Errorf("%s as %s: %v", q.From, q.To, err)
			}
		case err != nil:
			if refused++; a.Ticks != nil && reflect.DeepEqual(a.Back, q.Ticks) && !isMixed(t, q.From, q.To) {
				t.Errorf("%s as %s: %v, but NumPy loses nothing", q.From, q.To, err)
			}
		case a.Ticks == nil: // NumPy cannot convert with a factor this large
			far++
		default:
			if converted++; q.From == q.To {
				same++
			}
			if !reflect.DeepEqual(got, a.Ticks) || !reflect.DeepEqual(a.Back, q.Ticks) {
				t.Errorf("%s as %s of %d:\ngot  %d\nwant %d, back %d", q.From, q.To, q.Ticks, got, a.Ticks, a.Back)
			}
		}
	}
	t.Logf("NumPy %s: %d pairs of steps: %d converted, %d of them the same, %d refused, %d out of range", version, len(questions), converted, same, refused, far)
	if converted < len(questions)/10 || refused < len(questions)/10 {
		t.Error("hardly anything was converted, or refused")
	}
}

// isMixed reports whether exactly one of two timedelta64 counts months or years. NumPy converts a month to a fixed
// number of seconds, which is wrong.
func isMixed(t *testing.T, from, to string) bool {
	a, b := parsed(t, from), parsed(t, to)
	calendar := func(d dtype.Type) bool { return d.Step().Unit <= dtype.Month }
	return a.Kind() == dtype.KindTimedelta && calendar(a) != calendar(b)
}

// readTicks reads the field t of n records with a tag.
func readTicks(t *testing.T, from, tag, text string, n int) ([]int64, error) {
	t.Helper()
	goType := reflect.TypeFor[scalar.Datetime64]()
	if from[1] == 'm' {
		goType = reflect.TypeFor[scalar.Timedelta64]()
	}
	structs := reflect.StructOf([]reflect.StructField{
		{Name: "B", Type: reflect.TypeFor[int16]()},
		{Name: "T", Type: goType, Tag: reflect.StructTag(fmt.Sprintf("npy:%q", "t,"+tag))},
	})
	p, err := compile(structs, parsed(t, "[('a', '|i1'), ('t', '"+from+"'), ('b', '<i2')]"), policy{})
	if err != nil {
		return nil, err
	}
	var records []byte
	if _, err := fmt.Sscanf(text, "%x", &records); err != nil {
		t.Fatal(err)
	}
	data := reflect.MakeSlice(reflect.SliceOf(structs), n, n)
	if err := p.decode(data, records); err != nil {
		return nil, err
	}
	ticks := make([]int64, n)
	for i := range ticks {
		ticks[i] = data.Index(i).Field(1).Field(0).Int() // scalar.Datetime64.Ticks or scalar.Timedelta64.Ticks
		if want := int64(binary.LittleEndian.Uint64(records[i*11+1:])); from == tag && ticks[i] != want {
			t.Errorf("%s as itself: %d, want %d", from, ticks[i], want)
		}
	}
	return ticks, nil
}

func parsed(t *testing.T, text string) dtype.Type {
	t.Helper()
	d, err := dtype.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
