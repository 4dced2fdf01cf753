package pickle

import (
	"encoding/binary"
	"io"
	"math"
	"strconv"
)

// The sizes of frames are CPython's: a frame is closed at the first boundary after frameTarget bytes, and a frame
// shorter than frameMin is not worth its header.
const (
	frameTarget = 64 << 10
	frameMin    = 4
	frameHeader = 9
)

// An output takes the opcodes of one pickle and puts frames around them. Like CPython's pickler it opens a frame with
// the first opcode that needs one, and leaves large data outside.
type output struct {
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
func (o *output) startFraming(frames bool) {
	if frames {
		o.state = between
	}
}

// open returns buf, with a frame opened if the next opcode needs one.
func (o *output) open() []byte {
	if o.state == between {
		o.start = len(o.buf)
		o.buf = append(o.buf, opFrame, 0, 0, 0, 0, 0, 0, 0, 0)
		o.state = inFrame
	}
	return o.buf
}

// bytes writes an opcode, and its argument of a byte or two.
func (o *output) bytes(b ...byte) { o.buf = append(o.open(), b...) }

// closeFrame ends the open frame.
func (o *output) closeFrame() {
	if o.state != inFrame {
		return
	}
	o.state = between
	size := len(o.buf) - o.start - frameHeader
	if size < frameMin {
		copy(o.buf[o.start:], o.buf[o.start+frameHeader:])
		o.buf = o.buf[:o.start+size]
		return
	}
	binary.LittleEndian.PutUint64(o.buf[o.start+1:], uint64(size))
}

// boundary is called before each value: a full frame ends here.
func (o *output) boundary() error {
	if len(o.buf)-o.start < frameTarget {
		return nil // the usual case
	}
	if o.state == inFrame {
		if len(o.buf)-o.start-frameHeader < frameTarget {
			return nil
		}
		o.closeFrame()
	}
	return o.flush()
}

// flush writes the complete frames to w.
func (o *output) flush() error {
	if o.w == nil {
		o.start = len(o.buf)
		return nil
	}
	_, err := o.w.Write(o.buf)
	o.buf, o.start = o.buf[:0], 0
	return err
}

// finish ends the pickle.
func (o *output) finish() error {
	o.closeFrame()
	return o.flush()
}

// counted writes an opcode with a count of the given bytes.
func (o *output) counted(op byte, countSize, count int) {
	var header [9]byte
	header[0] = op
	binary.LittleEndian.PutUint64(header[1:], uint64(count))
	o.bytes(header[:1+countSize]...)
}

// writeData writes an opcode with a count of the given bytes, and the data after it; outside of frames if it is large.
func writeData[T string | []byte](o *output, op byte, countSize int, data T) error {
	if len(data) < frameTarget {
		o.counted(op, countSize, len(data))
		o.buf = append(o.buf, data...)
		return nil
	}
	o.closeFrame()
	state := o.state
	o.state = unframed
	o.counted(op, countSize, len(data))
	o.state = state
	if o.w == nil {
		o.buf = append(o.buf, data...)
		return nil
	}
	if err := o.flush(); err != nil {
		return err
	}
	return write(o.w, data)
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

// int writes an int of 64 bits in the fewest bytes.
func (o *output) int(n int64) {
	switch buf := o.open(); {
	case n >= 0 && n <= math.MaxUint8:
		o.buf = append(buf, opBinInt1, byte(n))
	case n >= 0 && n <= math.MaxUint16:
		o.buf = append(buf, opBinInt2, byte(n), byte(n>>8))
	case n >= math.MinInt32 && n <= math.MaxInt32:
		o.buf = binary.LittleEndian.AppendUint32(append(buf, opBinInt), uint32(n))
	default:
		size := 5
		for size < 8 && n>>(8*size-1) != 0 && n>>(8*size-1) != -1 {
			size++
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(n))
		o.buf = append(append(buf, opLong1, byte(size)), b[:size]...)
	}
}

// float writes a float.
func (o *output) float(f float64) {
	o.buf = binary.BigEndian.AppendUint64(append(o.open(), opBinFloat), math.Float64bits(f))
}

// get writes a reference to the memo.
func (o *output) get(n uint32) { o.numbered(opBinGet, opLongBinGet, n) }

// put writes that the value on top of the stack goes into the memo.
func (o *output) put(n uint32, protocol int) {
	if protocol >= 4 {
		o.bytes(opMemoize)
	} else {
		o.numbered(opBinPut, opLongBinPut, n)
	}
}

// numbered writes one of two opcodes: short for numbers of one byte, long for larger ones.
func (o *output) numbered(short, long byte, n uint32) {
	if o.text {
		op := byte(opGet)
		if short == opBinPut {
			op = opPut
		}
		o.buf = append(strconv.AppendUint(append(o.open(), op), uint64(n), 10), '\n')
		return
	}
	if n <= math.MaxUint8 {
		o.buf = append(o.open(), short, byte(n))
	} else {
		o.buf = binary.LittleEndian.AppendUint32(append(o.open(), long), n)
	}
}
