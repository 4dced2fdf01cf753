package pickle

import (
	"fmt"

	"github.com/npygo/npy/pickle/internal/machine"
	"github.com/npygo/npy/pickle/internal/opcode"
)

// A decoding is a pickle that is being decoded: the machine, which makes atoms, with the state of containers and objects.
type decoding struct {
	*machine.Machine
	d *Decoder

	containers int // the number of containers made so far
	maxDepth   int
	first      *List  // the first EMPTY_LIST, which gets SizeHint
	empty      *Tuple // the only tuple of no items
	globals    map[Global]*Global
	made       []made // the arguments and states of the values of hooks
	unset      int    // the number of UUIDs that lack their state
}

// made is a value of the hooks with its arguments or its state.
type made struct{ value, of any }

// newDecoding returns the decoding of the pickle that a Scanner reads.
func newDecoding(d *Decoder, s *opcode.Scanner) *decoding {
	m := machine.New(s, machine.Config{
		Encoding:  machine.Encoding(d.Encoding),
		SizeHint:  d.SizeHint,
		Nodes:     func() int { return d.most(d.MaxNodes) },
		Memo:      func() int { return d.most(d.MaxMemo) },
		MaxDigits: d.maxDigits(),
		MaxShared: limit64(d.MaxShared, 64<<20),
	})
	return &decoding{
		Machine:    m,
		d:          d,
		maxDepth:   limitOr(d.MaxDepth, 10_000),
		empty:      &Tuple{},
		containers: 1, // the empty tuple
		globals:    map[Global]*Global{},
	}
}

// located adds the offset and opcode to an error that lacks them.
func located(s *opcode.Scanner, err error) error {
	if _, ok := err.(*Error); ok || err == nil {
		return err
	}
	return &Error{Offset: s.Start, Op: s.Op, Err: err}
}

// rawTextError returns the error for a str of Python 2 that is not text.
func rawTextError(r *machine.RawText) error { return &Error{r.Offset, r.Op, &TextError{r.Data}} }

// pushContainer is Push for containers.
func (m *decoding) pushContainer(v any) error {
	m.containers++
	return m.Push(v)
}

// popOne drops the last value, or the mark if that is on top, as Python does.
func (m *decoding) popOne() error {
	if m.DropMark() {
		return nil
	}
	v, err := m.Pop()
	if err != nil {
		return err
	}
	return m.dropped(v)
}

// dropped refuses to drop a call that sets the state of the object below it: the state would be lost. Python writes
// such calls for classes with a function that sets the state of their instances.
func (m *decoding) dropped(v any) error {
	o, ok := v.(*Object)
	if !ok || o.How != Call || len(o.Args.Items) != 2 {
		return nil
	}
	below, err := m.Top()
	if target, ok := o.Args.Items[0].(*Object); ok && err == nil && below == any(target) {
		return fmt.Errorf("the state of an object is set by the call of a %s, which is not supported", kindOf(o.Class))
	}
	return nil
}
