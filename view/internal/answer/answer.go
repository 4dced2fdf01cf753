// Package answer answers the questions of a page that shows arrays: which files and arrays there are, how a part of one
// looks as a picture, as a line, as cells of a table or as a histogram. It knows nothing of the network, so that a server and
// a page without a server can use it.
//
// A question has a name and parameters, as a URL has them. Files and arrays are named by their position, never by a
// path, so that a page can ask only for files that its user has opened. Answers are JSON, lines of JSON, or a frame of
// JSON and numbers:
//
//	4 bytes      N, little-endian
//	N bytes      JSON, padded with spaces so that 4+N is a multiple of 8
//	the rest     the arrays that the JSON lists, little-endian, one after the other
//
// The cost of a question is limited, whatever its parameters and the header of the file say.
package answer

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/internal/diag"
)

// An Input is something to look at, as its user named it.
type Input struct {
	Name string

	// Joined are the files that are one array along Axis. nil means the file that Name names.
	Joined []string
	Axis   int

	// Open opens it, again after each change.
	Open func(ctx context.Context) (*File, error)

	// State returns a text that differs once the file has changed, such as its size and time. nil means that it never changes.
	State func() (string, error)
}

// A File is an open file with any number of arrays.
type File struct {
	Kind    string            // of the file: "npy", "HDF5"
	Entries []container.Entry // a single array has the Path ""

	// Source returns the array of an entry. It is used by several goroutines, and until Close.
	Source func(i int) (npy.Source, error)

	// Attributes returns the attributes of an entry. It may be nil.
	Attributes func(i int) []container.Attribute

	// Global returns the attributes of the file itself. It may be nil.
	Global func() []container.Attribute

	Close func()
}

// A Writer takes an answer. Head comes before the first Write.
type Writer interface {
	io.Writer
	Head(Head)
	Flush() // sends the written bytes
}

// A Head describes an answer.
type Head struct {
	Type     string // the media type
	ETag     string // equal for equal answers
	Filename string // if the answer is to become a file
}

// An Error is one of the caller, with the status that HTTP has for it: 400, 404, or 410 for a file that has changed.
type Error struct {
	Status int
	Err    error
}

// Error implements error.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrNotModified says that the caller, which named its ETag in the parameter etag, has the answer.
var ErrNotModified = diag.New("answer", "not modified")

// errChanged is the error of questions about a file that is another one now.
var errChanged = &Error{410, errors.New("the file has changed: load the page again")}

func wrong(format string, args ...any) error { return &Error{400, fmt.Errorf(format, args...)} }

// Answers answers questions about files. It may be used by several goroutines.
type Answers struct {
	files []*file
	kept  *cache
}

// A file is an Input and its open arrays.
type file struct {
	Input
	mu    sync.Mutex
	open  *File
	state string // when it was opened
	uses  *uses
}

// keptMemory is the size of the cache of an Answers, in bytes.
const keptMemory = 160 << 20

// New returns the answers about some files, which are opened by the first question about them.
func New(inputs []Input) *Answers {
	a := &Answers{kept: newCache(keptMemory)}
	for _, in := range inputs {
		a.files = append(a.files, &file{Input: in})
	}
	return a
}

// Close closes the files. No question may be asked any more.
func (a *Answers) Close() {
	a.kept.close()
	for _, f := range a.files {
		f.mu.Lock()
		f.forget()
		f.mu.Unlock()
	}
}

// uses counts the questions that use an open file, which is closed after the last.
type uses struct {
	mu    sync.Mutex
	n     int
	ended bool
	close func()
}

// again adds a use while there is one, and returns its end.
func (u *uses) again() (done func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n++
	return u.done
}

func (u *uses) done() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.n--; u.n == 0 && u.ended && u.close != nil {
		u.close()
	}
}

// forget closes the file as soon as no question uses it.
func (f *file) forget() {
	if f.open == nil {
		return
	}
	f.uses.mu.Lock()
	f.uses.n++
	f.uses.ended = true
	f.uses.mu.Unlock()
	f.uses.done()
	f.open = nil
}

// now returns the state of the file.
func (f *file) now() (string, error) {
	if f.State == nil {
		return "", nil
	}
	return f.State()
}

// use opens the file unless it is open, and returns a function that ends the use. With fresh a file that has changed is opened
// again; without, it is an error.
// The ETag is that of the file also if it cannot be opened.
func (f *file) use(ctx context.Context, fresh bool) (open *File, etag string, done func(), err error) {
	open, etag, u, err := f.enter(ctx, fresh)
	if err != nil {
		return nil, etag, nil, err
	}
	return open, etag, u.done, nil
}

// enter is use with the count of uses.
func (f *file) enter(ctx context.Context, fresh bool) (open *File, etag string, in *uses, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	state, err := f.now()
	if err != nil {
		return nil, hash(err.Error()), nil, &Error{404, err}
	}
	if f.open != nil && state != f.state {
		if !fresh {
			return nil, hash(state), nil, errChanged
		}
		f.forget()
	}
	if f.open == nil {
		if f.open, err = f.Open(ctx); err != nil {
			f.open = nil
			return nil, hash(state), nil, err
		}
		f.state, f.uses = state, &uses{close: f.open.Close}
	}
	f.uses.again()
	return f.open, hash(f.state), f.uses, nil
}

// ETag returns the ETag of a file as it is now. It equals the one in the answer to "files" as long as the file stays the same,
// whether it can be opened or not.
func (a *Answers) ETag(i int) string {
	state, err := a.files[i].now()
	if err != nil {
		state = err.Error()
	}
	return hash(state)
}

// Len returns the number of files.
func (a *Answers) Len() int { return len(a.files) }

// file returns the file that a question names.
func (a *Answers) file(q url.Values) (*file, int, error) {
	i, err := number(q, "f", 0, len(a.files)-1, 0)
	if err != nil {
		return nil, 0, &Error{404, errors.New("there is no such file")}
	}
	return a.files[i], i, nil
}

type question func(a *Answers, ctx context.Context, q url.Values, w Writer) error

var questions = map[string]question{
	"files":      (*Answers).listFiles,
	"entries":    (*Answers).listEntries,
	"first":      (*Answers).first,
	"array":      (*Answers).describe,
	"start":      (*Answers).begin,
	"axes":       (*Answers).axes,
	"along":      (*Answers).along,
	"attributes": (*Answers).listAttributes,
	"picture":    (*Answers).picture,
	"line":       (*Answers).line,
	"cells":      (*Answers).cells,
	"cell":       (*Answers).cell,
	"numbers":    (*Answers).numbers,
	"spread":     (*Answers).spread,
	"profile":    (*Answers).profile,
	"pairs":      (*Answers).pairs,
	"export":     (*Answers).export,
	"code":       (*Answers).code,
	"groups":     (*Answers).groups,
	"work":       (*Answers).work,
}

// Questions returns the names of all questions.
func Questions() []string { return slices.Sorted(maps.Keys(questions)) }

// Answer writes the answer to a question. After an error that comes before w.Head nothing has been written.
func (a *Answers) Answer(ctx context.Context, name string, q url.Values, w Writer) error {
	ask, ok := questions[name]
	if !ok {
		return &Error{404, errors.New("there is no such question")}
	}
	err := ask(a, ctx, q, w)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Status returns the status that HTTP has for an error of Answer.
func Status(err error) int {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Status
	}
	switch {
	case errors.Is(err, ErrNotModified):
		return 304
	case errors.Is(err, npy.ErrLimit), errors.Is(err, errors.ErrUnsupported):
		return 400
	}
	return 500
}

// number returns an integer parameter, or otherwise if it is not there.
func number(q url.Values, name string, low, high, otherwise int) (int, error) {
	text := q.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, wrong("%s is %q, and has to be a number from %d to %d", name, cut(text, 40), low, high)
	}
	return n, nil
}

func cut(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}

func hash(parts ...string) string {
	h := fnv.New128a()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return strconv.Quote(fmt.Sprintf("%x", h.Sum(nil)))
}

// etag returns the ETag of the answer to q about files in some states. It returns ErrNotModified if the caller has it.
func etag(q url.Values, states ...string) (string, error) {
	plain := maps.Clone(q)
	delete(plain, "etag")
	tag := hash(append(states, plain.Encode())...)
	if q.Get("etag") == tag {
		return tag, ErrNotModified
	}
	return tag, nil
}

func writeJSON(w Writer, tag string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Head(Head{Type: "application/json", ETag: tag})
	_, err = w.Write(data)
	return err
}

// A plane is one array of a frame.
type plane struct {
	Name string `json:"name"`
	Type string `json:"type"` // f4, f8 or u1
	N    int    `json:"n"`

	data any // []float32, []float64 or []byte
}

// writeFrame writes a frame. head must be a struct or map that is JSON of an object.
func writeFrame(w Writer, tag string, head map[string]any, planes ...plane) error {
	for i := range planes {
		p := &planes[i]
		switch data := p.data.(type) {
		case []float32:
			p.Type, p.N = "f4", len(data)
		case []float64:
			p.Type, p.N = "f8", len(data)
		case []byte:
			p.Type, p.N = "u1", len(data)
		}
	}
	head["arrays"] = planes
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	for (4+len(text))%8 != 0 {
		text = append(text, ' ')
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	out = append(out, text...)
	for _, p := range planes {
		if out, err = binary.Append(out, binary.LittleEndian, p.data); err != nil {
			return err
		}
	}
	w.Head(Head{Type: "application/octet-stream", ETag: tag})
	_, err = w.Write(out)
	return err
}
