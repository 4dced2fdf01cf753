package pickle

import (
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// Every tuple and every enum of the tables prints as in Python, members alone and combined, in every protocol. The
// tables are from Python 3.12: names that a version lacks or has otherwise are skipped.
func TestReprTables(t *testing.T) {
	out := oracle.Python(t, `
import enum, importlib, pickle, sys, warnings
warnings.simplefilter('ignore')
def send(text): sys.stdout.buffer.write(len(text).to_bytes(8, 'big') + text)
def table(text):
    rows = []
    for line in text.splitlines():
        if line[0] == ' ': rows[-1] += line.split()
        else: rows.append(line.split())
    return rows
def values(row):
    module, name, head, *words = row
    try: c = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError): return
    if issubclass(c, tuple):
        try: yield c(*range(len(words)))
        except TypeError:
            try: yield c(range(getattr(c, 'n_sequence_fields', 0)))
            except TypeError: pass
        return
    members = [m for m in c.__members__.values() if ('%s=%r' % (m.name, m._value_)).replace(' ', '\\x20') in words]
    yield c
    yield from members
    if issubclass(c, enum.Flag): yield from (a | b for a, b in zip(members, members[1:]))
for row in table(sys.stdin.read()):
    for v in values(row):
        for protocol in range(6):
            try: data = pickle.dumps(v, protocol)
            except Exception: continue
            send(data)
            send(repr(pickle.loads(data)).encode())
`, []byte(tuplesText+enumsText))
	all := pickles(t, out)
	if len(all) < 4000 {
		t.Fatalf("Python printed %d values only", len(all)/2)
	}
	wrong := 0
	for i := 0; i < len(all); i += 2 {
		v, err := Decode(all[i])
		if err != nil {
			t.Fatal(err)
		}
		if got, want := Repr(v), string(all[i+1]); got != want && !strings.Contains(want, " at 0x") {
			if wrong++; wrong < 30 {
				t.Errorf("Repr of %q = %s, want %s", all[i], got, want)
			}
		}
	}
	t.Logf("%d values, %d wrong", len(all)/2, wrong)
}
