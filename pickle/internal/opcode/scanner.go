package opcode

import (
	"fmt"
	"io"
)

// A Scanner takes opcodes and their arguments from a pickle, one after another. It follows the frames.
type Scanner struct {
	Start    int64   // the offset of the current opcode
	Op       string  // the name of the current opcode, "" if it is not one
	Arg      Operand // its argument, valid for opcodes that have one
	Protocol int

	in       window
	frameEnd int64 // the offset at which the current frame ends
}

// NewScanner returns a Scanner that reads at most limit bytes of r. It takes no byte after the pickle from r.
func NewScanner(r io.Reader, limit int64) *Scanner { return &Scanner{in: *newWindow(r, limit)} }

// NewBytesScanner returns a Scanner for the first limit bytes of data.
func NewBytesScanner(data []byte, limit int64) *Scanner {
	return &Scanner{in: *bytesWindow(data, limit)}
}

// AtEnd reports whether the reader has no byte. It is called before the first opcode only.
func (s *Scanner) AtEnd() bool {
	_, err := s.in.src.Peek(1)
	return err == io.EOF
}

// Close takes from the reader the bytes that were taken from the Scanner.
func (s *Scanner) Close() error { return s.in.close() }

// Offset returns the number of bytes taken.
func (s *Scanner) Offset() int64 { return s.in.offset() }

// Next takes an opcode and its argument. On an error, Arg holds the part that was read.
func (s *Scanner) Next() (code byte, err error) {
	s.Start, s.Op = s.in.offset(), ""
	if code, err = s.in.code(); err != nil {
		s.Arg = Operand{}
		return code, err
	}
	op := &table[code]
	s.Op = op.name
	if op.arg == argNone {
		return code, nil
	}
	s.Arg, err = s.in.operand(op.arg)
	if err == nil && s.Start < s.frameEnd && s.in.offset() > s.frameEnd {
		err = fmt.Errorf("its argument goes on after the end of the frame at byte %d, which the unpicklers of CPython read differently", s.frameEnd)
	}
	return code, err
}

// Ahead returns the bytes at hand that belong to the current frame, or all of them outside of frames.
func (s *Scanner) Ahead() []byte {
	w := s.in.bytes[s.in.pos:]
	if left := s.frameEnd - s.in.offset(); 0 < left && left < int64(len(w)) {
		return w[:left]
	}
	return w
}

// Skip takes n bytes of Ahead.
func (s *Scanner) Skip(n int) { s.in.pos += n }

// SetProtocol is PROTO.
func (s *Scanner) SetProtocol(n uint64) error {
	if n > MaxProtocol {
		return fmt.Errorf("protocol %d is newer than the newest known, %d", n, MaxProtocol)
	}
	s.Protocol = int(n)
	return nil
}

// OpenFrame is FRAME. A frame must be complete. CPython's unpickler in C reads the frame into a buffer, unless it has
// already read that far. If an opcode or argument crosses the end of the frame, it drops the rest of that buffer or keeps
// it, depending on its read-ahead. Picklers write no such frames, and Next refuses them.
func (s *Scanner) OpenFrame(n uint64) error {
	at := s.in.offset()
	if at < s.frameEnd {
		return fmt.Errorf("a frame begins inside another one, which goes up to byte %d", s.frameEnd)
	}
	if err := s.in.need(n); err != nil {
		return fmt.Errorf("a frame of %d bytes: %w", n, err)
	}
	s.frameEnd = at + int64(n)
	return nil
}

// CheckEnd refuses a pickle that ends before its frame does.
func (s *Scanner) CheckEnd() error {
	if s.in.offset() < s.frameEnd {
		return fmt.Errorf("the frame goes on to byte %d", s.frameEnd)
	}
	return nil
}

// Invalid returns the error for a byte that is not an opcode.
func Invalid(code byte) error {
	return fmt.Errorf("%#02x is not an opcode: this is not a pickle, or it is damaged", code)
}
