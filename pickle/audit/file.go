package audit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/pickle"
)

// An Auditor audits pickles with limits. The zero Auditor has none: time and memory are in proportion to the pickle, which may
// take 64 bytes for each of its bytes.
type Auditor struct {
	// MaxNodes limits the values of a pickle, as in [pickle.Decoder]. A pickle with more is [Unknown], with an error that wraps
	// [pickle.ErrLimit]. 0 and negative numbers stand for no limit.
	MaxNodes int

	// Compressed, if not nil, returns the number of compressed bytes that have been read, of a pickle that is decompressed. It
	// limits the values as in [pickle.Decoder] if MaxNodes is 0.
	Compressed func() int64
}

// values returns the limit of the number of values, as far as is known by now.
func (a Auditor) values() int {
	switch {
	case a.MaxNodes == 0 && a.Compressed != nil:
		return bounded.Values(a.Compressed(), maxNodes)
	case a.MaxNodes <= 0:
		return math.MaxInt
	}
	return a.MaxNodes
}

// maxNodes is the limit of the values of a compressed pickle.
const maxNodes = 64 << 20

// One is [Auditor.One] without limits.
func One(r io.Reader) *Report { return Auditor{}.One(r) }

// One audits one pickle. Like [pickle.Decoder.Decode] it takes no byte after the pickle from r.
func (a Auditor) One(r io.Reader) *Report { return a.read(r) }

// File is [Auditor.File] without limits.
func File(r io.Reader) iter.Seq[*Report] { return Auditor{}.File(r) }

// File audits all of a file, to its last byte: arrays as NumPy saves them (.npy) and pickles, any number of each, one
// after another, as repeated calls of np.load and pickle.load read them. Other bytes, and bytes that cannot be read,
// give a last report of kind [Unexplained] with the verdict [Unknown]. Every file gets at least one report.
//
// The members of an archive (.npz) are files of their own: audit each. The archive itself is Unexplained.
func (a Auditor) File(r io.Reader) iter.Seq[*Report] {
	return func(yield func(*Report) bool) {
		s := &source{auditor: a, r: bufio.NewReaderSize(r, 1<<16)}
		for first := true; ; first = false {
			report := s.part(first)
			if report == nil || !yield(report) || report.Err != nil && report.Verdict == Unknown || s.broken {
				return
			}
		}
	}
}

// A source is a file with the number of bytes taken from it.
type source struct {
	auditor Auditor
	r       *bufio.Reader
	n       int64
	broken  bool // the last part was not read to its end
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.n += int64(n)
	return n, err
}

// Peek is the method of bufio.Reader.
func (s *source) Peek(n int) ([]byte, error) { return s.r.Peek(n) }

// Buffered is the method of bufio.Reader.
func (s *source) Buffered() int { return s.r.Buffered() }

// Discard is the method of bufio.Reader.
func (s *source) Discard(n int) (int, error) {
	n, err := s.r.Discard(n)
	s.n += int64(n)
	return n, err
}

// part audits the next part, and returns nil at the end.
func (s *source) part(first bool) *Report {
	head, err := s.r.Peek(len(format.Magic))
	switch {
	case len(head) == 0 && err != io.EOF:
		return unexplained(s.n, err)
	case len(head) == 0 && first:
		return unexplained(0, fmt.Errorf("the file is empty: %w", io.ErrUnexpectedEOF))
	case len(head) == 0:
		return nil
	case string(head) == format.Magic:
		return s.array()
	case first && len(head) >= 4 && (string(head[:4]) == "PK\x03\x04" || string(head[:4]) == "PK\x05\x06"):
		return unexplained(0, errors.New("this is a ZIP archive, whose members are files of their own"))
	}
	start := s.n
	report := s.pickle(start)
	if !first && report.Err != nil && len(report.Imports) == 0 {
		return unexplained(start, fmt.Errorf("the bytes from here on are neither an array nor a pickle: %w", report.Err))
	}
	return report
}

// unexplained returns the report of unknown bytes.
func unexplained(start int64, err error) *Report {
	return &Report{Kind: Unexplained, Offset: start, Verdict: Unknown, Err: err}
}

// array audits an array. The elements of an array without objects are skipped.
func (s *source) array() *Report {
	start := s.n
	h, err := format.Decoder{}.ReadHeader(s)
	if err != nil {
		return unexplained(start, moved(err, start))
	}
	if h.DType.HasObject() {
		report := s.pickle(s.n)
		report.Header = &h
		return report
	}
	report := &Report{Kind: Array, Offset: start, Header: &h}
	data := s.n
	if _, err := io.CopyN(io.Discard, s, h.NBytes()); err != nil {
		if err == io.EOF {
			err = fmt.Errorf("the data ends after %d of %d bytes: %w", s.n-data, h.NBytes(), io.ErrUnexpectedEOF)
		}
		report.Verdict, report.Err = Unknown, &format.Error{Offset: s.n, Err: err}
	}
	return report
}

// pickle audits a pickle that begins at an offset of the file.
func (s *source) pickle(start int64) *Report {
	report := s.auditor.read(s)
	report.Offset = start
	for i := range report.Imports {
		report.Imports[i].Offset += start
	}
	report.Err = moved(report.Err, start)
	s.broken = report.Err != nil
	return report
}

// moved adds the offset in the file to an error.
func moved(err error, start int64) error {
	var p *pickle.Error
	if errors.As(err, &p) {
		at := *p
		at.Offset += start
		return &at
	}
	var f *format.Error
	if errors.As(err, &f) {
		at := *f
		at.Offset += start
		return &at
	}
	return err
}
