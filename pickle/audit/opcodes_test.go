package audit

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// opcodes are instructions in all their forms; the instructions for the stack and the memo occur more than once.
var opcodes = func() []string {
	all := []string{
		"N", "I01\n", "I 7_0\n", "K\x01", "J\x01\x00\x00\x00", "L5L\n", "F1.5\n", "\x8a\x01\x02", "\x88",
		"S'append'\n", "U\x01a", "Va\n", "\x8c\x03int", "X\x04\x00\x00\x00name", "C\x02ab", "\x8e\x01\x00\x00\x00\x00\x00\x00\x00c",
		"\x96\x02\x00\x00\x00\x00\x00\x00\x00ab", "\x97", "\x98", "\x80\x02", "\x80\x04", "\x80\x05",
		")", "]", "}", "\x8f", "l", "d", "\x91", "\x85", "\x86", "\x87", "a", "s", "e", "u", "\x90", "b", "o", "\x81", "\x92",
		"p0\n", "p+1\n", "p 1_0\n", "r\x02\x00\x00\x00", "q\x00", "g1\n", "g+10\n", "j\x02\x00\x00\x00", "h\x00", "h\x01", "h\x0a",
		"ccanary\nobj\n", "ccanary\nClass\n", "\x8c\x06canary\x8c\x04List\x93", "S'canary'\nS'obj'\n\x93", "(icanary\nPlain\n",
		"\x8c\x06canary\x8c\x0aobj.method\x93", "Pcanary\n", "Q", "\x82\x01", "\x83\x01\x00",
		"cbuiltins\nException\n)R", "c__builtin__\nset\n", "cbuiltins\nlist\n", "ccollections\nOrderedDict\n)R", "ccollections\ndeque\n)R",
		"ccollections\ndefaultdict\n", "cuuid\nUUID\n)\x81", "ccopy_reg\n_reconstructor\n", "cbuiltins\nobject\n", "cnumpy\nfloat64\n",
		"cnumpy.core.multiarray\n_reconstruct\n", "cnumpy\nndarray\n", "cnumpy\nmemmap\n",
	}
	for range 4 {
		all = append(all, "(", "(", "t", "0", "1", "2", "\x94", "h\x00", "h\x01", "R", "e", "u", "a", "b")
	}
	for _, make := range templates {
		all = append(all, strings.TrimSuffix(string(assemble(make())), "."))
	}
	return all
}()

// program returns random instructions that the audit can follow in this order.
func program(r *rand.Rand) []byte {
	var p []byte
	for range 5 + r.IntN(30) {
		next := append(p[:len(p):len(p)], opcodes[r.IntN(len(opcodes))]...)
		if last := One(bytes.NewReader(append(next[:len(next):len(next)], "N."...))); last.Err == nil {
			p = next
		}
	}
	if r.IntN(2) == 0 {
		return append(p, '.') // the result is the values on the stack
	}
	return append(p, "N."...)
}

// If the audit says that a program of random instructions calls nothing, it must call nothing.
func TestPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	var all []tried
	for len(all) < oracle.Cases(t, 200) {
		c := try("program", program(r))
		if c.report.Verdict <= ImportsOnly || r.IntN(20) == 0 {
			all = append(all, c)
		}
	}
	loaded, counts := 0, [4]int{}
	drive(t, oracle.NumPy, all, func(c tried, o *outcome) {
		agree(t, c, o)
		counts[c.report.Verdict]++
		if c.report.Verdict <= ImportsOnly && o.Loaded > 0 {
			loaded++
		}
	})
	t.Logf("verdicts %v; of those that call nothing %d were loaded", counts, loaded)
	if loaded < len(all)/10 || counts[ImportsOnly] < len(all)/10 {
		t.Error("the test does not test")
	}
}
