package pickle

import (
	"bytes"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// Disassemble prints the text of pickletools.dis, for whole pickles and for broken ones.
func TestDisassembleAsPython(t *testing.T) {
	out := oracle.Python(t, randomValues+`
import io, pickletools
def both(data):
    text = io.StringIO()
    try: pickletools.dis(data, text)
    except UnicodeDecodeError: return # names and texts need not be ASCII here
    except IndexError: text.seek(text.getvalue().rfind('\n') + 1); text.truncate(); text.write('error\n') # half a line
    except Exception as e:
        if 'exceeds' in str(e).lower(): return # Python's limit for ints as text is lower
        text.write('error\n')
    send(data)
    send(text.getvalue().encode('utf-8', 'surrogatepass'))
r = random.Random(1)
for seed in range(120):
    v = value(random.Random(seed))
    for protocol in range(6):
        try: data = pickle.dumps(v, protocol)
        except Exception: continue
        both(data)
        if len(data) < 2000:
            for _ in range(3):
                broken = bytearray(data)
                for _ in range(r.randrange(1, 3)):
                    at = r.randrange(len(data))
                    broken[at] = r.choice(data) if r.randrange(2) else r.choice(b'(0.tude21ahq\x94\x85')
                both(bytes(broken[:r.choice([len(data), r.randrange(1, len(data))])]))
for data in [b'I00\n.', b'I01\n.', b'L5L\n.', b"S'a\\x41'\n.", b'U\x01\xe9.', b'T\x01\0\0\0\xe9.', b'V\\u20ac\n.', b'Pid\n.',
        b'(imod\nname\n.', b'(cmod\nname\no.', b'\x82\x05.', b'\x83\x05\1.', b'\x84\x05\0\0\1.', b'\x97\x98.', b'(0N.', b'NQ.', b'N0N.', b'(N1N.', b'', b'N', b'(.', b'NN.',
        b'\xff.', b't.', b'(\x85t.', b'N2\x86.', b'g0\n.', b'Np0\np0\n.', b'(p0\n.', b'p0\n.',
        b'F0.713_005\n.', b'F1_0\n.', b'F 1.5\n.', b'F1.5\t\n.', b'F1__0\n.', b'F_1\n.', b'F1_\n.', b'F0x1p3\n.', b'F1_e5\n.', b'F1e1_0\n.', b'F-nan\n.', b'Fin_f\n.', b'F1._5\n.', b'F\n.']:
    both(data)
`, nil)
	all := pickles(t, out)
	if len(all) < 2000 {
		t.Fatalf("Python listed %d pickles only", len(all)/2)
	}
	failed := 0
	for i := 0; i < len(all); i += 2 {
		var got bytes.Buffer
		err := Disassemble(&got, bytes.NewReader(all[i]))
		if err != nil {
			got.WriteString("error\n")
		}
		want := string(all[i+1])
		if got.String() == want {
			continue
		}
		if failed++; failed > 5 {
			t.FailNow()
		}
		gotLines, wantLines := strings.Split(got.String(), "\n"), strings.Split(want, "\n")
		for j, line := range wantLines {
			if j >= len(gotLines) || gotLines[j] != line {
				t.Errorf("pickle %.60q: line %d is not\n%.200s, but\n%.200s (%v)", all[i], j, line, strings.Join(gotLines[min(j, len(gotLines)-1):], "\n"), err)
				break
			}
		}
	}
}
