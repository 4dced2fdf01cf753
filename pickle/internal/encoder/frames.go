package encoder

import (
	"encoding/binary"
	"io"
	"math"
	"strconv"

	"github.com/npygo/npy/pickle/internal/opcode"
)

// The sizes of frames are CPython's: a frame is closed at the first boundary after frameTarget bytes, and a frame
// shorter than frameMin is not worth its header.
const (
	frameTarget = 64 << 10
	frameMin    = 4
	frameHeader = 9
)

// frames takes the opcodes of one pickle and puts frames around them. Like CPython's pickler it opens a frame with the
// first opcode that needs one, and leaves large data outside.
type frames struct {
	buf   []byte
	w     io.Writer // takes complete frames; nil to keep all in buf
	start int       // the position of the open frame's header in buf, if a frame is open
	text  bool      // protocol 0, which has numbers of the memo as text
	state framing
}

// framing says whether opcodes go into a frame.
type framing uint8

const (
	unframed framing = iota // the protocol has no frames, or this part is outside of them
	between                 // the next opcode opens a frame
	inFrame
)

// startFraming begins the part of the pickle that is framed, if the protocol has frames.
func (f *frames) startFraming(has bool) {
	if has {
		f.state = between
	}
}

// open returns buf, with a frame opened if the next opcode needs one.
func (f *frames) open() []byte {
	if f.state == between {
		f.start = len(f.buf)
		f.buf = append(f.buf, opcode.Frame, 0, 0, 0, 0, 0, 0, 0, 0)
		f.state = inFrame
	}
	return f.buf
}

// Ops writes an opcode, and its argument of a byte or two.
func (f *frames) Ops(b ...byte) { f.buf = append(f.open(), b...) }

// closeFrame ends the open frame.
func (f *frames) closeFrame() {
	if f.state != inFrame {
		return
	}
	f.state = between
	size := len(f.buf) - f.start - frameHeader
	if size < frameMin {
		copy(f.buf[f.start:], f.buf[f.start+frameHeader:])
		f.buf = f.buf[:f.start+size]
		return
	}
	binary.LittleEndian.PutUint64(f.buf[f.start+1:], uint64(size))
}

// Boundary is called before each value: a full frame ends here.
func (f *frames) Boundary() error {
	if len(f.buf)-f.start < frameTarget {
		return nil // the usual case
	}
	if f.state == inFrame {
		if len(f.buf)-f.start-frameHeader < frameTarget {
			return nil
		}
		f.closeFrame()
	}
	return f.flush()
}

// flush writes the complete frames to w.
func (f *frames) flush() error {
	if f.w == nil {
		f.start = len(f.buf)
		return nil
	}
	_, err := f.w.Write(f.buf)
	f.buf, f.start = f.buf[:0], 0
	return err
}

// finish ends the pickle.
func (f *frames) finish() error {
	f.closeFrame()
	return f.flush()
}

// counted writes an opcode with a count of the given bytes.
func (f *frames) counted(op byte, countSize, count int) {
	var header [9]byte
	header[0] = op
	binary.LittleEndian.PutUint64(header[1:], uint64(count))
	f.Ops(header[:1+countSize]...)
}

// writeData writes an opcode with a count of the given bytes, and the data after it; outside of frames if it is large.
func writeData[T string | []byte](f *frames, op byte, countSize int, data T) error {
	if len(data) < frameTarget {
		f.counted(op, countSize, len(data))
		f.buf = append(f.buf, data...)
		return nil
	}
	f.closeFrame()
	state := f.state
	f.state = unframed
	f.counted(op, countSize, len(data))
	f.state = state
	if f.w == nil {
		f.buf = append(f.buf, data...)
		return nil
	}
	if err := f.flush(); err != nil {
		return err
	}
	return write(f.w, data)
}

// write writes a string or bytes.
func write[T string | []byte](w io.Writer, data T) error {
	var err error
	switch data := any(data).(type) {
	case string:
		_, err = io.WriteString(w, data)
	case []byte:
		_, err = w.Write(data)
	}
	return err
}

// put writes that the value on top of the stack goes into the memo.
func (f *frames) put(n uint32, protocol int) {
	if protocol >= 4 {
		f.Ops(opcode.Memoize)
	} else {
		f.numbered(opcode.BinPut, opcode.LongBinPut, n)
	}
}

// numbered writes one of two opcodes: short for numbers of one byte, long for larger ones.
func (f *frames) numbered(short, long byte, n uint32) {
	if f.text {
		op := byte(opcode.Get)
		if short == opcode.BinPut {
			op = opcode.Put
		}
		f.buf = append(strconv.AppendUint(append(f.open(), op), uint64(n), 10), '\n')
		return
	}
	if n <= math.MaxUint8 {
		f.buf = append(f.open(), short, byte(n))
	} else {
		f.buf = binary.LittleEndian.AppendUint32(append(f.open(), long), n)
	}
}
