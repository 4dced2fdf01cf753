package flips

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// each asks Python's libraries about damaged files. Some files crash the process. So a child reads file after file, and
// the next child continues after the file that crashed it.
const each = `
import os, resource, time
paths = sorted(os.listdir(sys.argv[1]), key=lambda name: int(name.split('.')[0]))
answers = []
while len(answers) < len(paths):
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(w, 'wb') as f:
            for path in paths[len(answers):len(answers) + 500]:
                resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 20, resource.RLIM_INFINITY))
                try:
                    answer = contents(os.path.join(sys.argv[1], path))
                except BaseException:
                    answer = ''
                f.write(json.dumps(answer).encode() + b'\n')
                f.flush()
        os._exit(0)
    os.close(w)
    with os.fdopen(r, 'rb') as f:
        answers += [json.loads(text) for text in f if text.endswith(b'\n')]
    if os.waitpid(pid, 0)[1] != 0:
        answers.append('')
json.dump(answers, sys.stdout)
`

// line is the Python function that says of an array what [Values] does.
const line = `
import hashlib
def line(a):
    a = np.asarray(a)
    a = a.astype(a.dtype.newbyteorder('<'))
    return '%s [%s] %s' % (a.dtype.str, ' '.join(map(str, a.shape)), hashlib.sha256(a.tobytes('C')).hexdigest())
`

// Python returns a module of Python, which reads files whose names have an ending. The script defines contents(path), which
// returns sorted lines, and may use line(array).
func Python(name, module, ending, script string) *Program {
	return &Program{name, func(t testing.TB, files [][]byte) []string {
		dir := t.TempDir()
		for i, data := range files {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ending)), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var texts []string
		if err := json.Unmarshal(oracle.Module(t, module, line+script+each, dir), &texts); err != nil || len(texts) != len(files) {
			t.Fatalf("%d answers about %d files: %v", len(texts), len(files), err)
		}
		return texts
	}}
}
