package diff_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy/diff"
	"github.com/npygo/npy/internal/oracle"
)

// askTimes counts in the step that NumPy promotes to. Python's integers do not overflow.
const askTimes = `
print(json.dumps(np.__version__))
def scale(step, common):
    (u, n), (v, m) = np.datetime_data(step), np.datetime_data(common)
    return n * int(np.timedelta64(1, u) // np.timedelta64(1, v)) // m
for line in sys.stdin:
    q = json.loads(line)
    try:
        common = np.promote_types(q['a'], q['b'])
        k, l = scale(np.dtype(q['a']), common), scale(np.dtype(q['b']), common)
    except (TypeError, OverflowError):
        print(json.dumps(None))
        continue
    d = [abs(x * k - y * l) if (x == -2**63) == (y == -2**63) else 0 for x, y in zip(q['x'], q['y'])]
    print(json.dumps({'different': sum(x * k != y * l for x, y in zip(q['x'], q['y'])), 'worst': str(max(d))}))
`

// Differences of times with random steps are in the step that NumPy promotes to.
func TestTimesLive(t *testing.T) {
	type question struct {
		A string  `json:"a"`
		B string  `json:"b"`
		X []int64 `json:"x"`
		Y []int64 `json:"y"`
	}
	type answer struct {
		Different int64
		Worst     string
	}
	r := rand.New(rand.NewPCG(64, 8))
	units := []string{"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"}
	nums := []string{"", "", "2", "3", "10", "25", "1000"}
	questions := make([]question, oracle.Cases(t, 1000))
	for i := range questions {
		q := &questions[i]
		kind := []string{"<M8[", "<m8["}[r.IntN(2)]
		u := r.IntN(len(units))
		q.A = kind + nums[r.IntN(len(nums))] + units[u] + "]"
		q.B = kind + nums[r.IntN(len(nums))] + units[min(u+r.IntN(3), len(units)-1)] + "]"
		bits := 1 + r.IntN(63)
		for range 1 + r.IntN(4) {
			q.X = append(q.X, int64(r.Uint64()>>1>>(63-bits))-int64(r.IntN(3)))
			q.Y = append(q.Y, int64(r.Uint64()>>1>>(63-bits)))
		}
	}
	version, answers := oracle.Ask[question, *answer](t, askTimes, questions)
	compared := 0
	for i, q := range questions {
		want := answers[i]
		if want == nil {
			continue
		}
		compared++
		got, err := diff.Compare(context.Background(), times(t, q.A, q.X...), times(t, q.B, q.Y...), diff.Options{})
		if err != nil || len(got.Fields) != 1 {
			t.Fatalf("%s and %s: %v, %v", q.A, q.B, got, err)
		}
		f := got.Fields[0]
		worst := "0"
		if f.WorstAbs != nil {
			worst = f.WorstAbs.Abs.String()
		}
		if f.Different != want.Different || worst != want.Worst {
			t.Errorf("NumPy %s: %s %d and %s %d: %d differ by at most %s, want %d by %s", version, q.A, q.X, q.B, q.Y, f.Different, worst, want.Different, want.Worst)
		}
	}
	t.Logf("NumPy %s: %d pairs of arrays, %d with a common step", version, len(questions), compared)
}
