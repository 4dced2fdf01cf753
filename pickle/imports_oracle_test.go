package pickle

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// Whatever Python looks up while it loads a pickle, whole or damaged, Imports has found; and what Python then calls, it
// does not take for a name only.
func TestImportsAsPython(t *testing.T) {
	out := oracle.Python(t, randomValues+`
import io
log = []
class Stub: # stands for everything that is named
    def __init__(self, name): self.name = name
    def __call__(self, *args, **kwargs): log.append('call ' + self.name); return Stub(self.name)
    def __new__(cls, *args): return object.__new__(cls)
    def __hash__(self): return 1
    def append(self, v): pass
    def extend(self, v): pass
    def add(self, v): pass
    def __setitem__(self, k, v): pass
    def __setstate__(self, v): pass
class Watch(pickle._Unpickler):
    def find_class(self, module, name):
        if self.proto < 3:
            import _compat_pickle as c
            if (module, name) in c.NAME_MAPPING: module, name = c.NAME_MAPPING[module, name]
            elif module in c.IMPORT_MAPPING: module = c.IMPORT_MAPPING[module]
        log.append('name ' + module + '.' + name)
        return Stub(module + '.' + name)
def both(data):
    log.clear()
    try: Watch(io.BytesIO(data)).load()
    except Exception: pass
    send(data)
    send('\n'.join(line.replace('\n', ' ') for line in log).encode('utf-8', 'surrogatepass'))
r = random.Random(2)
for seed in range(250):
    v = value(random.Random(seed))
    for protocol in range(6):
        try: data = pickle.dumps(v, protocol)
        except Exception: continue
        if len(data) > 3000: continue
        both(data)
        for _ in range(4):
            broken = bytearray(data)
            for _ in range(r.randrange(1, 4)): broken[r.randrange(len(data))] = r.choice(data)
            both(bytes(broken))
`, nil)
	all := pickles(t, out)
	if len(all) < 2000 {
		t.Fatalf("Python loaded %d pickles only", len(all)/2)
	}
	for i := 0; i < len(all); i += 2 {
		imports, err := Imports(bytes.NewReader(all[i]))
		var fault *Error
		if errors.As(err, &fault) && (fault.Op == "GLOBAL" || fault.Op == "INST") {
			continue // a line may end without a newline for this Unpickler, which is not the one in C
		}
		uses := make(map[string]Use)
		for _, m := range imports {
			name := strings.ReplaceAll(m.Module+"."+m.Name, "\n", " ")
			uses[name] |= m.Uses
		}
		for line := range strings.Lines(string(all[i+1])) {
			what, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if use, found := uses[name]; !found || what == "call" && use == 0 {
				t.Fatalf("Python has %q in %q, Imports gives %s, %v", line, all[i], brief(imports), err)
			}
		}
	}
}
