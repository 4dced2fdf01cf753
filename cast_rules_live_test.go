package npy_test

import (
	"slices"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
)

// askRules asks for the castings that allow a conversion of dtypes.
const askRules = `
print(json.dumps(np.__version__))
for line in sys.stdin:
    f, t = [np.dtype(eval(s) if s[0] in '[{' else s) for s in json.loads(line)]
    print(json.dumps([bool(np.can_cast(f, t, c)) for c in ('safe', 'same_kind', 'unsafe')]))
`

// The castings of records go by the positions of the fields. A time without a unit takes any unit. A field may be a text
// without a length, which holds no other text.
func TestCastRulesLive(t *testing.T) {
	records := []string{
		"i4", "i8", ">i4", "[('a','i4')]", "[('b','i4')]", "[('b','>i4')]", "[('b','i8')]", "[('b','i2')]", "[(('t','c'),'i4')]",
		"[('a','i4'),('b','i4')]", "[('b','i4'),('a','i4')]", "[('c','i4'),('d','i8')]", "[('a','i4'),('b','i4'),('c','i4')]",
		"[('a',[('x','i4')])]", "[('b',[('y','i8')])]", "[('b',[('y','i8'),('z','i8')])]", "[('a',[('x',[('q','i4')])])]",
		"[('a','i4',(3,))]", "[('b','i8',(3,))]", "[('b','i8',(2,))]", "[('a','i4',(1,))]", "[('b','i8',(2,2))]",
		"[('a','f4')]", "[('b','f16')]", "[('b','?')]", "[('b','c8')]",
	}
	questions := castPairs(records, records)
	spans := []string{"m8", ">m8", "[('a','m8')]", "[('b','>m8')]"}
	questions = append(questions, castPairs(spans, append(spans, "m8[s]", "m8[7s]", ">m8[D]", "m8[W]", "m8[Y]", "m8[3M]", "m8[as]", "[('b','m8[s]')]", "[('b','>m8[Y]')]",
		"[('b','m8',(2,))]", "[('b','m8[25s]',(2,))]"))...)
	dates := []string{"M8", ">M8", "[('a','M8')]", "[('b','>M8')]"}
	questions = append(questions, castPairs(dates, append(dates, "M8[s]", "M8[7s]", ">M8[D]", "M8[W]", "M8[as]", "[('b','M8[s]')]", "[('b','>M8[3W]')]"))...)
	questions = append(questions, castPairs([]string{"[('a','?')]", "[('a','i4')]", "[('a','>f8')]", "[('a','c8')]", "[('a','U3')]", "[('a','m8[s]')]", "[('a','M8[s]')]"},
		[]string{"[('a','S0')]", "[('b','S0')]"})...)
	questions = append(questions, castPairs([]string{"[('a','?')]", "[('a','>i8')]", "[('a','f2')]", "[('a','m8[s]')]", "[('a','M8[s]')]"}, []string{"[('a','U0')]", "[('b','>U0')]"})...)
	version, answers := oracle.Ask[[2]string, []bool](t, askRules, questions)
	for i, q := range questions {
		here := make([]bool, 3)
		for c := range here {
			_, err := must(npy.New(parse(q[0]), 0)).Cast(parse(q[1]), npy.Casting(c))
			here[c] = err == nil
		}
		if !slices.Equal(here, answers[i]) {
			t.Errorf("%s to %s by safe, same_kind, unsafe casting: %v, NumPy %v", q[0], q[1], here, answers[i])
		}
	}
	t.Logf("NumPy %s: %d pairs of dtypes", version, len(questions))
}

// castPairs returns each of some dtypes with each of others.
func castPairs(sources, targets []string) (pairs [][2]string) {
	for _, from := range sources {
		for _, to := range targets {
			pairs = append(pairs, [2]string{from, to})
		}
	}
	return pairs
}
