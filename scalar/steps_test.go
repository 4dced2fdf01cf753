package scalar

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/oracle"
)

// askSteps converts with Python's integers, which do not overflow, and checks that NumPy agrees wherever 64 bits are
// enough.
const askSteps = `
print(json.dumps(np.__version__))
ATTO = {'W': 604800*10**18, 'D': 86400*10**18, 'h': 3600*10**18, 'm': 60*10**18, 's': 10**18, 'ms': 10**15, 'us': 10**12,
        'ns': 10**9, 'ps': 10**6, 'fs': 10**3, 'as': 1}
MONTHS = {'Y': 12, 'M': 1}
MEAN = 2629746 * 10**18

def days_of(months):  # of the first day of a month
    y, m = divmod(months + 1970*12, 12)
    y, m = (y - 1, m + 10) if m < 2 else (y, m - 2)
    era, yoe = divmod(y, 400)
    return era*146097 + yoe*365 + yoe//4 - yoe//100 + (153*m + 2)//5 - 719468

def months_of(days):  # of the month that a day is in
    era, doe = divmod(days + 719468, 146097)
    yoe = (doe - doe//1460 + doe//36524 - doe//146096)//365
    mp = (5*(doe - (365*yoe + yoe//4 - yoe//100)) + 2)//153
    return (era*400 + yoe - 1970)*12 + mp + 2

def convert(kind, v, a, n, b, m):
    """Ticks of n a in ticks of m b, rounded down, and whether that is exact."""
    v *= n
    if (a in MONTHS) == (b in MONTHS):
        unit = MONTHS if a in MONTHS else ATTO
        q, r = divmod(v*unit[a], unit[b]*m)
        return q, r == 0
    if kind == 'm':
        if a in MONTHS:
            return v*MONTHS[a]*MEAN // (ATTO[b]*m), False
        return v*ATTO[a] // (MONTHS[b]*MEAN*m), False
    if a in MONTHS:
        q, r = divmod(days_of(v*MONTHS[a])*ATTO['D'], ATTO[b]*m)
        return q, r == 0
    days, rest = divmod(v*ATTO[a], ATTO['D'])
    months = months_of(days)
    q, r = divmod(months, MONTHS[b]*m)
    return q, r == 0 and rest == 0 and days_of(months) == days

def fits(v):
    return -2**63 < v < 2**63

for line in sys.stdin:
    q = json.loads(line)
    kind, a, n, b, m = q['kind'], q['a'], q['n'], q['b'], q['m']
    want, numpy = [], []
    for v in q['ticks']:
        w, exact = convert(kind, v, a, n, b, m)
        want.append({'ticks': w, 'exact': exact} if fits(w) else None)
        if kind == 'M' and (a in MONTHS or b in MONTHS) and a != b:
            days = days_of(v*n*MONTHS[a]) if a in MONTHS else v*n*ATTO[a]//ATTO['D']
            enough = abs(days) < 2**61 and abs(v*n) < 2**62 and abs(w*m) < 2**62
        else: # NumPy multiplies by a numerator, after it has made both sides of the fraction
            if (a in MONTHS) == (b in MONTHS):
                unit = MONTHS if a in MONTHS else ATTO
                num, den = n*max(1, unit[a]//unit[b]), m*max(1, unit[b]//unit[a])
            elif a in MONTHS:
                num, den = n*146097*12*ATTO['W']//ATTO[b], m*4800*7
            else:
                num, den = n*4800*7, m*146097*12*ATTO['W']//ATTO[a]
            enough = num < 2**62 and den < 2**61 and abs(v)*num < 2**61
        if fits(w) and enough:
            numpy.append((v, w))
    compared = 0
    if numpy:
        x = np.array([v for v, _ in numpy], 'i8').view('%s8[%d%s]' % (kind, n, a))
        try:
            got = x.astype('%s8[%d%s]' % (kind, m, b)).view('i8').tolist()
        except OverflowError:
            got = []
        compared = len(got)
        for (v, w), g in zip(numpy, got):
            assert w == g, (q, v, w, g)
    print(json.dumps({'want': want, 'compared': compared}))
`

// stepSome lists units per tick.
var stepSome = []int32{1, 1, 1, 1, 2, 3, 7, 10, 24, 25, 60, 1000, 1<<31 - 1}

func TestConvertLive(t *testing.T) {
	type question struct {
		Kind  string  `json:"kind"`
		A     string  `json:"a"`
		N     int32   `json:"n"`
		B     string  `json:"b"`
		M     int32   `json:"m"`
		Ticks []int64 `json:"ticks"`
	}
	type answer struct {
		Want []*struct {
			Ticks int64
			Exact bool
		}
		Compared int
	}
	rng := rand.New(rand.NewPCG(64, 9))
	questions := make([]question, oracle.Cases(t, 3000))
	for i := range questions {
		q := &questions[i]
		q.Kind = []string{"M", "m"}[rng.IntN(2)]
		q.A, q.B = dtype.Unit(1+rng.IntN(13)).String(), dtype.Unit(1+rng.IntN(13)).String()
		q.N, q.M = stepSome[rng.IntN(len(stepSome))], stepSome[rng.IntN(len(stepSome))]
		bits := rng.IntN(64)
		for range 8 {
			v := int64(rng.Uint64() >> 1 >> (63 - bits))
			if rng.IntN(2) == 0 {
				v = -v
			}
			q.Ticks = append(q.Ticks, v)
		}
	}
	version, answers := oracle.Ask[question, answer](t, askSteps, questions)
	compared, fit := 0, 0
	for i, q := range questions {
		from, to := dtype.Step{Num: q.N}, dtype.Step{Num: q.M}
		for u := dtype.Year; u <= dtype.Attosecond; u++ {
			if u.String() == q.A {
				from.Unit = u
			}
			if u.String() == q.B {
				to.Unit = u
			}
		}
		compared += answers[i].Compared
		for j, v := range q.Ticks {
			var x int64
			var exact bool
			var err error
			if q.Kind == "M" {
				var d Datetime64
				d, exact, err = Datetime64{Ticks: v}.Convert(from, to)
				x = d.Ticks
			} else {
				var d Timedelta64
				d, exact, err = Timedelta64{Ticks: v}.Convert(from, to)
				x = d.Ticks
			}
			want := answers[i].Want[j]
			if want == nil {
				if !errors.Is(err, ErrRange) || x != 0 {
					t.Errorf("%s8[%s] %d in %s: %d, %v, want ErrRange", q.Kind, from, v, to, x, err)
				}
				continue
			}
			fit++
			if err != nil || x != want.Ticks || exact != want.Exact {
				t.Errorf("%s8[%s] %d in %s: %d, %v, %v, want %v", q.Kind, from, v, to, x, exact, err, *want)
			}
		}
	}
	t.Logf("NumPy %s: %d conversions, %d fit, NumPy gave %d of them", version, 8*len(questions), fit, compared)
}

func TestConvertUnits(t *testing.T) {
	s, generic, none := dtype.Step{Num: 1, Unit: dtype.Second}, dtype.Step{}, dtype.Step{Num: 0, Unit: dtype.Second}
	year, beyond := dtype.Step{Num: 1, Unit: dtype.Year}, dtype.Step{Num: 1, Unit: dtype.Attosecond + 1}
	for _, tt := range []struct {
		from, to dtype.Step
		ok       bool
	}{
		{s, s, true}, {generic, generic, true}, {none, none, true}, {generic, s, false}, {s, generic, false}, {none, s, false},
		{s, none, false}, {year, generic, false}, {generic, year, false}, {year, none, false}, {beyond, s, false}, {s, beyond, false},
		{beyond, year, false}, {year, beyond, false},
	} {
		if d, exact, err := (Datetime64{Ticks: 7}).Convert(tt.from, tt.to); (err == nil) != tt.ok || exact != tt.ok || !tt.ok && !errors.Is(err, ErrUnit) || tt.ok && d.Ticks != 7 {
			t.Errorf("datetime64[%s] in %s: %d, %v, %v", tt.from, tt.to, d, exact, err)
		}
		if d, exact, err := (Timedelta64{Ticks: 7}).Convert(tt.from, tt.to); (err == nil) != tt.ok || exact != tt.ok || !tt.ok && !errors.Is(err, ErrUnit) || tt.ok && d.Ticks != 7 {
			t.Errorf("timedelta64[%s] in %s: %d, %v, %v", tt.from, tt.to, d, exact, err)
		}
		if d, exact, err := (Datetime64{Ticks: NaT}).Convert(tt.from, tt.to); d.Ticks != NaT || !exact || err != nil {
			t.Errorf("NaT of datetime64[%s] in %s: %d, %v, %v", tt.from, tt.to, d, exact, err)
		}
		if d, exact, err := (Timedelta64{Ticks: NaT}).Convert(tt.from, tt.to); d.Ticks != NaT || !exact || err != nil {
			t.Errorf("NaT of timedelta64[%s] in %s: %d, %v, %v", tt.from, tt.to, d, exact, err)
		}
	}
	_, _, err := Datetime64{Ticks: 1 << 62}.Convert(s, dtype.Step{Num: 1, Unit: dtype.Nanosecond})
	if want := "scalar: cannot convert datetime64[s] 146138514283-06-19T07:45:04 to datetime64[ns]: value out of range"; err == nil || err.Error() != want {
		t.Errorf("overflow: %v, want %s", err, want)
	}
}
