package pylit

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// oracleProgram reads requests and answers each with Python's value, or null. With long it treats the text as
// numpy.lib.format treats a header of version 1 or 2: _filter_header, numpy 1.24, after a SyntaxError.
const oracleProgram = `
import ast, io, json, sys, tokenize, warnings
warnings.simplefilter('ignore')
if sys.version_info[:2] != (3, 11):
    print('version'); sys.exit()
def filtered(s):
    tokens, number = [], False
    for t in tokenize.generate_tokens(io.StringIO(s).readline):
        if number and t[0] == tokenize.NAME and t[1] == 'L':
            continue
        tokens.append(t)
        number = t[0] == tokenize.NUMBER
    return tokenize.untokenize(tokens)
def conv(n):
    if isinstance(n, ast.Dict):
        return ['dict', [conv(x) for kv in zip(n.keys, n.values) for x in kv]]
    for t, name in (ast.Tuple, 'tuple'), (ast.List, 'list'), (ast.Set, 'set'):
        if isinstance(n, t):
            return [name, [conv(x) for x in n.elts]]
    if isinstance(n, ast.Call):
        return ['set', []]
    v = ast.literal_eval(n)
    if isinstance(v, str):
        return ['str', v.encode('utf-8', 'surrogatepass').hex(), repr(v).encode().hex()]
    if isinstance(v, bytes):
        return ['bytes', v.hex(), repr(v).encode().hex()]
    return [type(v).__name__, repr(v)]
def evaluate(s):
    ast.literal_eval(s)
    return conv(ast.parse(s.lstrip(' \t'), mode='eval').body)
for line in sys.stdin:
    q = json.loads(line)
    try:
        try:
            a = evaluate(q['text'])
        except SyntaxError:
            if not q['long']:
                raise
            a = evaluate(filtered(q['text']))
    except Exception as e:
        a = None
    print(json.dumps(a, separators=(',', ':')))
`

type request struct {
	Text string `json:"text"`
	Long bool   `json:"long"`
}

// knownDifference matches the list in the package comment.
var knownDifference = regexp.MustCompile(`\\N|set[\s\\]*\)`)

func TestAgainstPython(t *testing.T) {
	var requests []request
	for _, text := range slices.Concat(handMade, generated(6000)) {
		if knownDifference.MatchString(text) {
			continue
		}
		requests = append(requests, request{text, false})
		// NumPy's filter treats a lone CR and a form feed before the value differently: it refuses "{}\r " and accepts
		// " \f {}".
		if !strings.ContainsAny(text, "\r\f") {
			requests = append(requests, request{text, true})
		}
	}
	answers := ask(t, requests)
	accepted := 0
	for i, r := range requests {
		v, err := Options{Long: r.Long}.Parse(r.Text)
		got := "null"
		if err == nil {
			b, _ := json.Marshal(describe(v))
			got = string(b)
			accepted++
		}
		if got != answers[i] {
			t.Errorf("Options{Long: %v}.Parse(%.200q) = %.200s, %v\nPython: %.200s", r.Long, r.Text, got, err, answers[i])
		}
	}
	t.Logf("%d texts, %d accepted", len(requests), accepted)
}

// ask runs the oracle on all requests in one process.
func ask(t *testing.T, requests []request) []string {
	t.Helper()
	var in bytes.Buffer
	for _, r := range requests {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	out := oracle.Python(t, oracleProgram, in.Bytes())
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if lines[0] == "version" {
		t.Skip("python3 is not the reference, CPython 3.11")
	}
	if len(lines) != len(requests) {
		t.Fatalf("python3 gave %d answers to %d requests", len(lines), len(requests))
	}
	return lines
}

// describe returns v in the form of the oracle.
func describe(v Value) []any {
	switch v.Kind {
	case String, Bytes:
		return []any{v.Kind.String(), hex.EncodeToString([]byte(v.Str)), hex.EncodeToString([]byte(v.Repr(0)))}
	case Tuple, List, Set, Dict:
		items := []any{}
		for _, item := range v.Items {
			items = append(items, describe(item))
		}
		return []any{v.Kind.String(), items}
	}
	return []any{v.Kind.String(), v.Repr(0)}
}

// values is the number of parts that generate chooses from; most parts are values.
const values = 58

// parts are put together at random. Most results are wrong, some by little.
var parts = []string{
	"1", "23", "0", "00", "03", "1_0", "0x1F", "0b1", "0o7", "1.", ".5", "1e5", "1e-7", "2j", "3L", " L", "1_", "_", "e5", "j", "-", "+",
	"9223372036854775807", "9223372036854775808", "123456789012345678", "1234567890123456789", "1e22", "0.1", "1e16", "123456.75e-10",
	"'a'", `"b"`, "'''c'''", "b'd'", "rb'\\'", `r'\''`, "u'e'", "f'x'", "B", "u", "r", "'", `"`, `\`, `'\x41'`, `'\u12'`, `'\7'`, `"'"`,
	"'é'", "'😀\u2028'", `'\ud800'`, "é", "None", "True", "False", "...", ".", "set()", "set", "x", "if", "not", "lambda",
	"(", ")", "[", "]", "{", "}", "()", "[]", "{}", ",", ":", "(", ")", ",", "(1,)", "{1:2}", "{1,2}", "{'a':", "}", "[1]",
	" ", "  ", "\t", "\n", "\n", "\r\n", "\f", "#c", "#c\n", "\\\n", " \\\n", "*", "**", "=", "==", ";", "~", "1+2j", "-1",
}

// generated returns texts that are the same in every run.
func generated(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	texts := make([]string, 0, n)
	for i := range n {
		var b strings.Builder
		switch {
		case i%3 == 0:
			generate(&b, r, 0)
		default:
			for range 1 + r.IntN(7) {
				b.WriteString(parts[r.IntN(len(parts))])
			}
		}
		text := b.String()
		if i%6 == 0 { // break a good text in one place
			at := r.IntN(len(text) + 1)
			if at < len(text) && text[at] < 0x80 && (at+1 == len(text) || text[at+1] < 0x80) {
				text = text[:at] + parts[r.IntN(len(parts))] + text[at+1:]
			}
		}
		texts = append(texts, text)
	}
	return texts
}

// generate writes a text that is right, or nearly so.
func generate(b *strings.Builder, r *rand.Rand, depth int) {
	blank := func() {
		if r.IntN(4) == 0 {
			b.WriteString([]string{" ", "\t", "\\\n", "\f"}[r.IntN(4)])
		}
	}
	brackets := []string{"()", "[]", "{}", "{}"}[r.IntN(4)]
	if depth > 3 || r.IntN(3) == 0 {
		b.WriteString(parts[r.IntN(values)])
		return
	}
	dict := brackets == "{}" && r.IntN(2) == 0
	b.WriteByte(brackets[0])
	for range r.IntN(9) {
		blank()
		generate(b, r, depth+1)
		blank()
		if dict {
			b.WriteString(":")
			blank()
			generate(b, r, depth+1)
		}
		b.WriteString(",")
	}
	b.WriteByte(brackets[1])
}
