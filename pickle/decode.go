package pickle

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/npygo/npy/pickle/internal/opcode"
)

// Decode returns the value of a pickle in memory. Bytes after the pickle are ignored, as by Python's pickle.loads. The
// value shares no memory with data. Numbers and strings share blocks of memory with each other. To keep a few
// of very many strings for long, copy them with strings.Clone.
func Decode(data []byte) (any, error) {
	v, _, err := Decoder{}.DecodeBytes(data)
	return v, err
}

// Decode reads one pickle from r and returns its value, as Python's pickle.load does. It takes no byte after the pickle
// from r, so it can be called again for the next pickle; at the end of r it returns io.EOF. If r is a *bufio.Reader, or
// has its methods Peek, Discard and Buffered, it is read through them. From any other reader, a pickle below protocol 4
// is read in very small pieces: wrap a file in a bufio.Reader.
//
// The error is an [*Error]. It wraps io.ErrUnexpectedEOF for a truncated pickle, [ErrLimit] if a limit of d is
// exceeded, a [*KeyError] for a value that cannot be a key, and the errors of r and of the hooks.
func (d Decoder) Decode(r io.Reader) (any, error) {
	s := opcode.NewScanner(r, limit64(d.MaxBytes, 1<<30))
	if s.AtEnd() {
		return nil, io.EOF
	}
	v, err := newDecoding(&d, s).decode()
	if err != nil {
		return nil, err
	}
	return v, s.Close()
}

// DecodeBytes decodes the first pickle in data. It returns its value and the bytes after it, which share the memory of
// data. The value shares no memory with data. If data is empty the error is io.EOF.
func (d Decoder) DecodeBytes(data []byte) (v any, rest []byte, err error) {
	if len(data) == 0 {
		return nil, nil, io.EOF
	}
	s := opcode.NewBytesScanner(data, limit64(d.MaxBytes, 1<<30))
	v, err = newDecoding(&d, s).decode()
	if err != nil {
		return nil, nil, err
	}
	return v, data[s.Offset():], nil
}

// decode runs the pickle with the hooks of the Decoder.
func (m *decoding) decode() (any, error) {
	if m.d.Begin != nil {
		m.d.Begin(m.Charge)
	}
	v, err := m.Run(m)
	if err == nil {
		err = m.finish(v)
	}
	if err != nil {
		return nil, located(m.Scanner, err)
	}
	return v, nil
}

// finish checks the result.
func (m *decoding) finish(v any) error {
	if m.unset > 0 {
		return errors.New("a uuid.UUID has no state")
	}
	for _, r := range m.Raws {
		if !r.Used {
			return rawTextError(r)
		}
	}
	if m.containers > m.maxDepth || len(m.Raws) > 0 {
		return m.check(v)
	}
	return nil
}

// Step executes an opcode, by itself if it makes or fills a container or an object.
func (m *decoding) Step(code byte) error {
	switch code {
	case opcode.Pop:
		return m.popOne()
	case opcode.ByteArray8:
		return m.Push(&ByteArray{slices.Clone(m.Arg.Data)})

	case opcode.EmptyList:
		return m.emptyList()
	case opcode.Append:
		return m.appendItems(m.Last(1))
	case opcode.Appends:
		return m.appendItems(m.Marked())
	case opcode.List:
		return m.list()
	case opcode.EmptyTuple:
		return m.Push(m.empty)
	case opcode.Tuple:
		return m.markedTuple()
	case opcode.Tuple1, opcode.Tuple2, opcode.Tuple3:
		return m.tuple(int(code-opcode.Tuple1) + 1)
	case opcode.EmptyDict:
		return m.pushContainer(&Dict{})
	case opcode.Dict:
		return m.dict()
	case opcode.SetItem:
		return m.setItems(m.Last(2))
	case opcode.SetItems:
		return m.setItems(m.Marked())
	case opcode.EmptySet:
		return m.pushContainer(&Set{})
	case opcode.AddItems:
		return m.addItems(m.Marked())
	case opcode.FrozenSet:
		return m.frozenSet()

	case opcode.Global:
		return m.global(m.Arg.Lines[0], m.Arg.Lines[1], false)
	case opcode.StackGlobal:
		return m.stackGlobal()
	case opcode.Reduce:
		return m.reduce()
	case opcode.NewObj:
		return m.newObj()
	case opcode.NewObjEx:
		return m.newObjEx()
	case opcode.Inst:
		return m.inst(m.Arg.Lines[0], m.Arg.Lines[1])
	case opcode.Obj:
		return m.obj()
	case opcode.Build:
		return m.build()
	case opcode.PersID:
		return m.persistentLine(m.Arg.Data)
	case opcode.BinPersID:
		return m.persistent()
	case opcode.Ext1, opcode.Ext2, opcode.Ext4:
		return fmt.Errorf("extension code %d stands for a class in the registry of the program that wrote it: write it without copyreg.add_extension", int32(m.Arg.N))
	case opcode.NextBuffer:
		return m.nextBuffer()
	case opcode.ReadOnlyBuffer:
		return m.readOnlyBuffer()
	}
	return m.Machine.Step(code)
}
