package oracle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"testing"
)

// answering is the loop of a Session: a list of questions on each line of the input, a list of answers on each line of
// the output. An exception is an answer, too.
const answering = `
def _reply(q):
    try:
        return {'value': answer(q)}
    except Exception as e:
        return {'error': type(e).__name__, 'message': str(e).encode('ascii', 'backslashreplace').decode()}
_out = sys.stdout
sys.stdout = sys.stderr # what a library prints is no answer
_out.write(json.dumps(versions()) + '\n')
_out.flush()
for _line in sys.stdin:
    _out.write(json.dumps([_reply(q) for q in json.loads(_line)], allow_nan=False, default=lambda x: x.item()) + '\n')
    _out.flush()
`

// A Session is a Python process that answers questions until it is closed or the test ends. It is for one goroutine.
type Session struct {
	Versions map[string]string // the result of the script's versions(): {"numpy": "2.5.2", …}

	lines  chan []byte // lines to write, so that Send does not wait for Python
	out    *bufio.Reader
	stderr *tail
	close  func()
}

// An Answer is the result of the script's answer(question), or the exception that it raised.
type Answer struct {
	Value   json.RawMessage `json:"value"`
	Error   string          `json:"error"` // the class of the exception, "" for none
	Message string          `json:"message"`
}

// NewSession starts a process with a script that defines versions() and answer(question), with numpy as np, sys, json
// and warnings imported and warnings off.
func NewSession(t testing.TB, script string, args ...string) *Session {
	t.Helper()
	s := &Session{stderr: &tail{}}
	cmd, in, out := piped(t, "warnings.simplefilter('ignore')\n"+script+answering, s.stderr, args...)
	s.lines, s.out = make(chan []byte, 16), bufio.NewReaderSize(out, 1<<16)
	go func() {
		for line := range s.lines {
			_, _ = in.Write(line) // Receive reports a process that has ended
		}
		in.Close()
	}()
	s.close = sync.OnceFunc(func() {
		close(s.lines)
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	})
	t.Cleanup(s.close)
	if err := s.line(&s.Versions); err != nil {
		t.Fatal(err)
	}
	return s
}

// Close ends the process.
func (s *Session) Close() { s.close() }

// Send asks a batch of questions, which Python works on while earlier answers are received.
func (s *Session) Send(questions []json.RawMessage) {
	line, err := json.Marshal(questions)
	if err != nil {
		panic(err)
	}
	s.lines <- append(line, '\n')
}

// Receive returns the answers of the oldest unanswered batch.
func (s *Session) Receive() ([]Answer, error) {
	var answers []Answer
	err := s.line(&answers)
	return answers, err
}

func (s *Session) line(v any) error {
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the Python process ended: %w\n%s", err, s.stderr)
	}
	return json.Unmarshal(line, v)
}

// A tail keeps the last few thousand bytes written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - 4096; over > 0 {
		t.buf = bytes.Clone(t.buf[over:])
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
