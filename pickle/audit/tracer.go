package audit

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/pickle"
)

// A tracer follows a pickle without making its values.
type tracer struct {
	report   *Report
	op       pickle.Op
	protocol int // of the last PROTO, which decides how Python reads names
	stack    []any
	pushed   int   // the number of values so far
	marks    []int // positions on the stack
	memo     memo

	spoiled []bool // for each import, whether it was used in an unknown way
	handed  []any  // values passed to unknown code
	asked   []any  // values asked for a hash or a text, by methods that known classes are known to have
	work    int64  // the cost of checks so far, see charge
	err     error  // the first fault that could not be explained
}

// read audits one pickle.
func (a Auditor) read(r io.Reader) *Report {
	t := &tracer{report: &Report{}}
	stopped := false
	most := a.values()
	for op, err := range pickle.Ops(r) {
		t.op = op
		if err != nil {
			t.nameCut()
			t.fault(err)
			break
		}
		if op.Name == "STOP" {
			stopped = true
		}
		err := t.step()
		if n := max(t.pushed, int(t.memo.count())); err == nil && n > most {
			if most = a.values(); n > most {
				err = bounded.Over("MaxNodes", most, 0, "the number of values is over MaxNodes %d", most)
			}
		}
		if err != nil {
			t.fault(err)
			break
		}
	}
	if !stopped && t.err == nil {
		t.fault(io.ErrUnexpectedEOF)
	}
	t.judge()
	t.report.Err = t.err
	return t.report
}

// fault notes a fault that cannot be explained.
func (t *tracer) fault(err error) {
	if t.err != nil {
		return
	}
	var located *pickle.Error
	if !errors.As(err, &located) {
		err = &pickle.Error{Offset: t.op.Offset, Op: t.op.Name, Err: err}
	}
	t.err = err
}

// nameCut notes a complete module name before a truncated name of the global: some readers import it.
func (t *tracer) nameCut() {
	if lines, ok := t.op.Arg.([2]string); ok && lines[0] != "" {
		t.note(lines[0], "?")
	}
}

var (
	errUnderflow = errors.New("the stack has too few values")
	errNoMark    = errors.New("no MARK is on the stack")
)

// step follows one opcode. An error ends the pickle for Python as well.
func (t *tracer) step() error {
	switch t.op.Name {
	case "PROTO":
		t.protocol = int(t.number())
		if t.op.Offset == 0 {
			t.report.Protocol = t.protocol
		}
		return nil
	case "FRAME":
		return nil
	case "STOP":
		_, err := t.pop()
		return err
	case "MARK":
		t.pushed++
		t.marks = append(t.marks, len(t.stack))
		return nil
	case "POP":
		return t.popOne()
	case "POP_MARK":
		_, err := t.popMark()
		return err
	case "DUP":
		return t.withTop(t.push)
	case "MEMOIZE":
		return t.withTop(func(v any) { t.memo.put(t.memo.count(), v) })
	case "PUT", "BINPUT", "LONG_BINPUT":
		return t.withTop(func(v any) { t.memo.put(t.number(), v) })
	case "GET", "BINGET", "LONG_BINGET":
		v, ok := t.memo.get(t.number())
		if !ok {
			return fmt.Errorf("nothing is memoised under %d", t.number())
		}
		t.push(v)
		return nil
	case "GLOBAL", "STACK_GLOBAL", "PERSID", "BINPERSID", "EXT1", "EXT2", "EXT4":
		return t.name()
	case "REDUCE", "NEWOBJ", "NEWOBJ_EX", "OBJ", "INST":
		return t.make()
	case "BUILD":
		return t.build()
	case "APPEND", "APPENDS", "SETITEM", "SETITEMS", "ADDITEMS":
		return t.fill()
	}
	return t.value()
}

// value pushes the result of an opcode on arguments and values.
func (t *tracer) value() error {
	switch t.op.Name {
	case "NONE":
		t.push(nil)
	case "NEWTRUE", "NEWFALSE":
		t.push(t.op.Name == "NEWTRUE")
	case "EMPTY_LIST":
		t.push(&list{})
	case "EMPTY_DICT":
		t.push(&dict{})
	case "EMPTY_SET":
		t.push(&set{})
	case "EMPTY_TUPLE":
		t.push(&tuple{plain: true})
	case "TUPLE1", "TUPLE2", "TUPLE3":
		return t.gather(t.popN(int(t.op.Name[5] - '0')))
	case "TUPLE", "LIST", "DICT", "FROZENSET":
		return t.gather(t.popMark())
	case "BYTEARRAY8":
		b, _ := t.op.Arg.([]byte)
		t.push(&buffer{int64(len(b))})
	case "NEXT_BUFFER":
		t.push(&buffer{-1})
	case "READONLY_BUFFER":
		return t.withTop(func(v any) {
			if _, ok := v.(*buffer); !ok && !isBytes(v) {
				t.fault(errors.New("a read-only view of a value that is not a buffer of this pickle"))
			}
		})
	case "STRING", "BINSTRING", "SHORT_BINSTRING":
		v := valueOf(t.op.Arg)
		if s, ok := v.(string); ok {
			v = oldText(s)
		}
		t.push(v)
	default:
		t.push(valueOf(t.op.Arg))
	}
	return nil
}

// gather pushes a container of values from the stack.
func (t *tracer) gather(items []any, err error) error {
	if err != nil {
		return err
	}
	items = append([]any(nil), items...)
	switch t.op.Name {
	case "LIST":
		t.push(&list{items: items})
	case "DICT":
		d := &dict{}
		if err := t.setItems(d, items); err != nil {
			return err
		}
		t.push(d)
	case "FROZENSET":
		t.hash(items...)
		t.push(&frozenSet{items, arePlain(items)})
	default:
		t.push(newTuple(items))
	}
	return nil
}

func newTuple(items []any) *tuple { return &tuple{items, arePlain(items)} }

// number returns the argument of an opcode with a small number.
func (t *tracer) number() int64 {
	n, _ := t.op.Arg.(int64)
	return n
}

func (t *tracer) push(v any) {
	t.pushed++
	if n := len(t.stack); n == cap(t.stack) {
		t.stack = slices.Grow(t.stack, 3*n+1) // few copies; new memory takes no pages before values are in it
	}
	t.stack = append(t.stack, v)
}

// fence is the height below which the stack must not be popped: the position of the last mark.
func (t *tracer) fence() int {
	if len(t.marks) == 0 {
		return 0
	}
	return t.marks[len(t.marks)-1]
}

// withTop calls a function with the last value, which stays.
func (t *tracer) withTop(do func(v any)) error {
	if len(t.stack) <= t.fence() {
		return errUnderflow
	}
	do(t.stack[len(t.stack)-1])
	return nil
}

// pop takes the last value.
func (t *tracer) pop() (any, error) {
	v, err := t.popN(1)
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

// popN takes the last n values. They are valid until the next push.
func (t *tracer) popN(n int) ([]any, error) {
	at := len(t.stack) - n
	if at < t.fence() {
		return nil, errUnderflow
	}
	items := t.stack[at:]
	t.stack = t.stack[:at]
	return items, nil
}

// popMark takes the last mark and the values after it. The values are valid until the next push.
func (t *tracer) popMark() ([]any, error) {
	if len(t.marks) == 0 {
		return nil, errNoMark
	}
	at := t.fence()
	t.marks = t.marks[:len(t.marks)-1]
	items := t.stack[at:]
	t.stack = t.stack[:at]
	return items, nil
}

// popOne drops the last value, or the mark if that is on top, as Python does.
func (t *tracer) popOne() error {
	if len(t.marks) > 0 && t.fence() == len(t.stack) {
		t.marks = t.marks[:len(t.marks)-1]
		return nil
	}
	_, err := t.pop()
	return err
}

// A memo holds values by number.
type memo struct {
	dense  []any // the values under 0, 1, 2 and so on
	sparse map[int64]any
}

// count returns the number of values, which is the number that MEMOIZE gives.
func (m *memo) count() int64 { return int64(len(m.dense) + len(m.sparse)) }

func (m *memo) put(n int64, v any) {
	switch next := int64(len(m.dense)); {
	case n < next:
		m.dense[n] = v
	case n == next:
		m.dense = append(m.dense, v)
		delete(m.sparse, n)
	default:
		if m.sparse == nil {
			m.sparse = map[int64]any{}
		}
		m.sparse[n] = v
	}
}

func (m *memo) get(n int64) (any, bool) {
	if n < int64(len(m.dense)) {
		return m.dense[n], true
	}
	v, ok := m.sparse[n]
	return v, ok
}
