package flips

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/npygo/npy/internal/oracle"
)

// each is what asks Python's libraries about damaged files, which crash some of them: a process for each file.
const each = `
import os, resource
answers = []
for path in sorted(os.listdir(sys.argv[1]), key=lambda name: int(name.split('.')[0])):
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            answer = contents(os.path.join(sys.argv[1], path))
        except BaseException:
            answer = ''
        with os.fdopen(w, 'wb') as f:
            f.write(answer.encode('utf-8', 'replace'))
        os._exit(0)
    os.close(w)
    with os.fdopen(r, 'rb') as f:
        answer = f.read().decode()
    answers.append(answer if os.waitpid(pid, 0)[1] == 0 else '')
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

// Python returns a function that asks a module of Python for the contents of files whose names have an ending. The script
// defines contents(path), which returns sorted lines, and may use line(array).
func Python(module, ending, script string) func(t testing.TB, files [][]byte) []string {
	return func(t testing.TB, files [][]byte) []string {
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
	}
}
