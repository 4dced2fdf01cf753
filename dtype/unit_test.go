package dtype_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// mustStep reads a step, including a step of length 0.
func mustStep(t testing.TB, text string) dtype.Step {
	t.Helper()
	s, err := dtype.ParseStep(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRatio(t *testing.T) {
	for _, tt := range []struct {
		a, b     string
		num, den uint64 // 0, 0 for none
	}{
		{"s", "s", 1, 1}, {"generic", "generic", 1, 1}, {"h", "s", 3600, 1}, {"s", "h", 1, 3600}, {"25s", "10s", 5, 2},
		{"2h", "10D", 1, 120}, {"Y", "M", 12, 1}, {"5M", "2Y", 5, 24}, {"W", "D", 7, 1}, {"ns", "2147483647as", 1e9, math.MaxInt32},
		{"Y", "D", 0, 0}, {"W", "M", 0, 0}, {"generic", "s", 0, 0}, {"s", "generic", 0, 0},
		{"0s", "s", 0, 0}, {"s", "0s", 0, 0}, {"0s", "0s", 1, 1},
		{"s", "as", 1e18, 1}, {"9s", "as", 9e18, 1}, {"h", "as", 0, 0}, {"as", "h", 0, 0}, {"2147483647W", "2147483646as", 0, 0},
	} {
		a, b := mustStep(t, tt.a), mustStep(t, tt.b)
		num, den, ok := a.Ratio(b)
		if num != tt.num || den != tt.den || ok != (tt.den != 0) {
			t.Errorf("(%s).Ratio(%s) = %d, %d, %v, want %d, %d", a, b, num, den, ok, tt.num, tt.den)
		}
	}
	beyond := dtype.Step{Num: 1, Unit: dtype.Attosecond + 1}
	if num, den, ok := beyond.Ratio(mustStep(t, "s")); ok {
		t.Errorf("a unit that does not exist: %d, %d", num, den)
	}
}

// lengthOf returns a step in months or in attoseconds.
func lengthOf(s dtype.Step) *big.Int {
	n := big.NewInt(int64(s.Num))
	for _, factor := range map[dtype.Unit][]int64{
		dtype.Year: {12}, dtype.Week: {604800, 1e18}, dtype.Day: {86400, 1e18}, dtype.Hour: {3600, 1e18}, dtype.Minute: {60, 1e18},
		dtype.Second: {1e18}, dtype.Millisecond: {1e15}, dtype.Microsecond: {1e12}, dtype.Nanosecond: {1e9}, dtype.Picosecond: {1e6},
		dtype.Femtosecond: {1e3},
	}[s.Unit] {
		n.Mul(n, big.NewInt(factor))
	}
	return n
}

// numpyFits reports whether both steps fit in 64 bits when they are counted in the finer unit. Otherwise NumPy's
// products overflow.
func numpyFits(a, b dtype.Step) bool {
	unit := lengthOf(dtype.Step{Num: 1, Unit: max(a.Unit, b.Unit)})
	return new(big.Int).Div(lengthOf(a), unit).IsInt64() && new(big.Int).Div(lengthOf(b), unit).IsInt64()
}

// The common step of two steps is the step of numpy.promote_types.
func TestRatioLive(t *testing.T) {
	type question [2]string
	r := rand.New(rand.NewPCG(64, 7))
	units := []string{"Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"}
	nums := []string{"", "", "", "2", "3", "7", "10", "24", "25", "60", "1000", "2147483647", "1234567"}
	questions := make([]question, oracle.Cases(t, 2000))
	for i := range questions {
		for k := range questions[i] {
			questions[i][k] = nums[r.IntN(len(nums))] + units[r.IntN(len(units))]
		}
	}
	version, answers := oracle.Ask[question, string](t, `
print(json.dumps(np.__version__))
for line in sys.stdin:
    a, b = json.loads(line)
    try:
        unit, num = np.datetime_data(np.promote_types('m8[%s]' % a, 'm8[%s]' % b))
        print(json.dumps('%d%s' % (num, unit)))
    except (TypeError, OverflowError):
        print(json.dumps(''))
`, questions)
	compared := 0
	for i, q := range questions {
		a, b := mustStep(t, q[0]), mustStep(t, q[1])
		num, den, ok := a.Ratio(b)
		if calendar := dtype.Month; (a.Unit <= calendar) != (b.Unit <= calendar) {
			if ok || answers[i] != "" {
				t.Errorf("NumPy %s: (%s).Ratio(%s) = %d, %d, the common step is %q", version, a, b, num, den, answers[i])
			}
			continue
		}
		want := new(big.Rat).SetFrac(lengthOf(a), lengthOf(b))
		if fits := want.Num().IsUint64() && want.Denom().IsUint64(); fits != ok || ok && (want.Num().Uint64() != num || want.Denom().Uint64() != den) {
			t.Errorf("(%s).Ratio(%s) = %d, %d, %v, want %s", a, b, num, den, ok, want)
		}
		if !ok || !numpyFits(a, b) || answers[i] == "" { // NumPy rejects large factors
			continue
		}
		compared++
		common := mustStep(t, answers[i])
		numA, one, _ := a.Ratio(common)
		numB, same, _ := b.Ratio(common)
		if one != 1 || same != 1 || numA != num || numB != den {
			t.Errorf("NumPy %s: (%s).Ratio(%s) = %d, %d, the common step is %s", version, a, b, num, den, common)
		}
	}
	t.Logf("NumPy %s: %d pairs of steps, %d compared", version, len(questions), compared)
}
