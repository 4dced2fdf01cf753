package format

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/magic"
	"github.com/npygo/npy/internal/pylit"
)

// DefaultMaxHeader is the default limit on the length of a header in bytes; see [Decoder]. It admits every header of
// version 1.0. NumPy's own limit is 10,000 characters.
const DefaultMaxHeader = 1 << 16

// A Decoder reads headers with limits that the caller chooses. The zero Decoder has the limits of [ReadHeader].
type Decoder struct {
	// MaxHeader limits the length of the header in bytes, without the magic string and the length itself.
	// 0 stands for [DefaultMaxHeader], a negative number for no limit.
	MaxHeader int

	// VoidAs, unless it is the zero Type, replaces void elements of the same item size, including void in fields and
	// subarrays. NumPy writes the types of ml_dtypes as void, and the file does not name the type: bfloat16 is <V2,
	// float8_e4m3fn and int4 are <V1. Elements of other dtypes are unchanged.
	VoidAs dtype.Type
}

// ReadHeader reads a header from r, including the magic string. It reads no byte of the data: r is then at the start of
// the data. At the end of r it returns io.EOF, so it can be called for consecutive arrays.
func ReadHeader(r io.Reader) (Header, error) { return Decoder{}.ReadHeader(r) }

// ParseHeader reads the header at the start of b. Data may follow it.
func ParseHeader(b []byte) (Header, error) { return Decoder{}.ParseHeader(b) }

// ReadHeader is [ReadHeader] with the limits of d.
func (d Decoder) ReadHeader(r io.Reader) (Header, error) {
	prefix := make([]byte, 12, 256) // large enough for most headers, which then cost one allocation
	n, err := bounded.ReadFull(r, prefix[:8])
	if err == io.EOF {
		return Header{}, io.EOF
	}
	v, bad := checkMagic(prefix[:n])
	if bad != nil {
		return Header{}, bad
	}
	if err == nil {
		var m int
		m, err = bounded.ReadFull(r, prefix[8:v.prefixLen()])
		n += m
	}
	if err != nil {
		return Header{}, shortHeader(err, n, v.prefixLen())
	}
	prefix = prefix[:n]
	length, err := d.headerLen(v, prefix)
	if err != nil {
		return Header{}, err
	}
	b, err := readRest(r, prefix, length)
	if err != nil {
		return Header{}, shortHeader(err, len(b), n+length)
	}
	return d.parse(v, b)
}

// readRest reads length bytes and appends them to prefix, in place if its capacity suffices.
func readRest(r io.Reader, prefix []byte, length int) ([]byte, error) {
	n := len(prefix)
	if length <= cap(prefix)-n {
		m, err := bounded.ReadFull(r, prefix[n:n+length])
		return prefix[:n+m], err
	}
	rest, err := bounded.ReadAll(r, length)
	return append(prefix, rest...), err
}

// ParseHeader is [ParseHeader] with the limits of d.
func (d Decoder) ParseHeader(b []byte) (Header, error) {
	size, err := d.HeaderSize(b)
	if err != nil {
		return Header{}, err
	}
	v, _ := checkMagic(b)
	if len(b) < size {
		return Header{}, shortHeader(io.ErrUnexpectedEOF, len(b), size)
	}
	return d.parse(v, b[:size])
}

// HeaderSize returns the size of a header in bytes, from the magic string to the data. b must hold its first 12 bytes.
func (d Decoder) HeaderSize(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, io.EOF
	}
	v, err := checkMagic(b)
	if err != nil {
		return 0, err
	}
	if len(b) < 8 || len(b) < v.prefixLen() {
		return 0, shortHeader(io.ErrUnexpectedEOF, len(b), v.prefixLen())
	}
	length, err := d.headerLen(v, b)
	return v.prefixLen() + length, err
}

// checkMagic compares the bytes in b with the magic string. It accepts a truncated prefix, which is reported later.
func checkMagic(b []byte) (Version, error) {
	if !strings.HasPrefix(Magic, string(b[:min(len(b), len(Magic))])) {
		return Version{}, &Error{Err: fmt.Errorf("%w: %s", ErrMagic, guess(b))}
	}
	if len(b) < len(Magic)+2 {
		return V1, nil
	}
	v := Version{b[6], b[7]}
	if !v.IsKnown() {
		return v, invalid(6, "", "version %s is not known, want 1.0, 2.0 or 3.0", v)
	}
	return v, nil
}

// guess names the format of data that is not an .npy file. It has only the first 8 bytes, which a reader has consumed
// by then.
func guess(b []byte) string {
	return cmp.Or(magic.Explain(b, magic.NPY), fmt.Sprintf("it starts with %q instead of %q", b[:min(len(b), len(Magic))], Magic))
}

// headerLen reads the length after the version and checks the limit before anything is allocated.
func (d Decoder) headerLen(v Version, b []byte) (int, error) {
	length := uint64(binary.LittleEndian.Uint16(b[8:]))
	if v != V1 {
		length = uint64(binary.LittleEndian.Uint32(b[8:]))
	}
	limit := uint64(d.MaxHeader)
	switch {
	case d.MaxHeader == 0:
		limit = DefaultMaxHeader
	case d.MaxHeader < 0:
		limit = math.MaxInt - 12
	}
	if length > limit {
		return 0, &Error{Offset: 8, Err: bounded.Over("MaxHeader", limit, length, "header of %d bytes is over MaxHeader %d", length, limit)}
	}
	return int(length), nil
}

// shortHeader returns the error for a source that ended, or failed, within the header.
func shortHeader(err error, have, want int) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return invalid(int64(have), "", "the header ends after %d of %d bytes: %w", have, want, io.ErrUnexpectedEOF)
	}
	return diag.Errorf("npy", "reading the header: %w", err)
}

// parse reads a complete header. Offsets in errors count from the magic string.
func (d Decoder) parse(v Version, b []byte) (Header, error) {
	text := b[v.prefixLen():]
	h, ok := parsePlain(text)
	if !ok {
		var err error
		if h, err = parseAny(v, text); err != nil {
			return Header{}, err
		}
	}
	h.Version, h.DataOffset = v, int64(len(b))
	if d.VoidAs.IsValid() {
		return h, nameVoid(&h.DType, d.VoidAs)
	}
	return h, nil
}

// parseAny reads a header with the full parser.
func parseAny(v Version, raw []byte) (Header, error) {
	p := parser{version: v, raw: raw}
	if err := p.decode(); err != nil {
		return Header{}, err
	}
	return p.header()
}

// A parser holds the text of one header.
type parser struct {
	version Version
	raw     []byte
	text    string // raw, converted to UTF-8
}

// decode converts the raw bytes to text. It fails only for invalid UTF-8: any bytes are valid Latin-1.
func (p *parser) decode() error {
	if p.version != V3 {
		p.text = fromLatin1(p.raw)
		return nil
	}
	p.text = string(p.raw)
	for i := 0; i < len(p.text); {
		r, n := utf8.DecodeRuneInString(p.text[i:])
		if r == utf8.RuneError && n == 1 {
			return p.invalid(i, "", "header of version 3.0 is not UTF-8")
		}
		i += n
	}
	return nil
}

// offset converts a position in the text to an offset in the file. In Latin-1 every character is one byte.
func (p *parser) offset(pos int) int64 {
	if len(p.text) != len(p.raw) {
		pos = utf8.RuneCountInString(p.text[:pos])
	}
	return int64(p.version.prefixLen() + pos)
}

func (p *parser) invalid(pos int, path, format string, args ...any) error {
	return invalid(p.offset(pos), path, format, args...)
}

// header reads the dict. The last of repeated keys counts, as in Python.
func (p *parser) header() (Header, error) {
	dict, err := p.literal()
	if err != nil {
		return Header{}, p.literalError(err)
	}
	if dict.Kind != pylit.Dict {
		return Header{}, p.invalid(dict.Start, "", "header is not a dictionary: %s", dict.Repr(echo))
	}
	var descr, order, shape pylit.Value
	found := [3]bool{}
	for i := 0; i+1 < len(dict.Items); i += 2 {
		key, value := dict.Items[i], dict.Items[i+1]
		switch {
		case key.Kind == pylit.String && key.Str == "descr":
			descr, found[0] = value, true
		case key.Kind == pylit.String && key.Str == "fortran_order":
			order, found[1] = value, true
		case key.Kind == pylit.String && key.Str == "shape":
			shape, found[2] = value, true
		default:
			return Header{}, p.invalid(key.Start, "", "header has an unknown key %s, want descr, fortran_order and shape", key.Repr(echo))
		}
	}
	for i, name := range [...]string{"descr", "fortran_order", "shape"} {
		if !found[i] {
			return Header{}, p.invalid(dict.Start, name, "header lacks the key '%s'", name)
		}
	}
	return p.assemble(descr, order, shape)
}

// literal parses the text as Python does. If this fails, and the version is one that Python 2 wrote, it tries again
// with the long integers of Python 2 ("3L") rewritten as NumPy does (numpy.lib.format._filter_header).
func (p *parser) literal() (pylit.Value, error) {
	v, err := pylit.Parse(p.text)
	if err != nil && p.version != V3 {
		if v, err := (pylit.Options{Long: true}).Parse(p.text); err == nil {
			return v, nil
		}
	}
	return v, err
}

func (p *parser) literalError(err error) error {
	var e *pylit.Error
	if errors.As(err, &e) {
		return p.invalid(e.Offset, "", "header is not a Python literal: %s", e.Msg)
	}
	return p.invalid(0, "", "header is not a Python literal: %w", err)
}

// assemble makes a Header that passes Validate of the three values.
func (p *parser) assemble(descr, order, shape pylit.Value) (h Header, err error) {
	if h.DType, err = p.dtype(descr); err != nil {
		return h, err
	}
	if order.Kind != pylit.Bool {
		return h, p.invalid(order.Start, "fortran_order", "%s is not True or False", order.Repr(echo))
	}
	h.FortranOrder = order.Bool
	if h.Shape, err = p.shape(shape); err != nil {
		return h, err
	}
	if err := h.Validate(); err != nil {
		return h, p.invalid(shape.Start, "shape", "%s", diag.Fault(err, ""))
	}
	return h, nil
}

// dtype parses the descr from its own text. A subarray cannot be the type of a whole array.
func (p *parser) dtype(descr pylit.Value) (dtype.Type, error) {
	if descr.Kind == pylit.String && !strings.ContainsAny(descr.Str, "([,") { // one plain type: nearly every file
		if t, err := dtype.Parse(descr.Str); err == nil && !t.IsSubarray() {
			return t, nil
		}
	}
	text, start := p.text[descr.Start:descr.End], descr.Start
	if strings.ContainsAny(text, "\n\r") { // Python allows a newline between the pieces of a string only within brackets
		text, start = "("+text+")", start-1
	}
	t, err := dtype.ParseDescr(text)
	if err != nil {
		var e *dtype.Error
		errors.As(err, &e)
		return t, &Error{Offset: p.offset(max(start+e.Offset, descr.Start)), Path: "descr" + e.Path, Err: e.Err}
	}
	if t.IsSubarray() {
		return t, p.invalid(descr.Start, "descr", "subarray %s cannot be the dtype of an array: move its dimensions into the shape", descr.Repr(echo))
	}
	return t, nil
}

func (p *parser) shape(v pylit.Value) ([]int, error) {
	if v.Kind != pylit.Tuple {
		return nil, p.invalid(v.Start, "shape", "shape is not a tuple of integers: %s", v.Repr(echo))
	}
	if len(v.Items) > MaxDims {
		return nil, p.invalid(v.Start, "shape", "%d dimensions, at most %d are possible", len(v.Items), MaxDims)
	}
	shape := make([]int, len(v.Items))
	for i, d := range v.Items {
		if err := checkDim(d); err != nil {
			return nil, p.invalid(d.Start, fmt.Sprintf("shape[%d]", i), "%w", err)
		}
		shape[i] = int(d.Int)
	}
	return shape, nil
}

func checkDim(d pylit.Value) error {
	switch {
	case d.Kind != pylit.Int:
		return fmt.Errorf("dimension %s is not an integer", d.Repr(echo))
	case d.Int < 0 || d.Big != nil && d.Big.Sign() < 0:
		return fmt.Errorf("negative dimension %s", d.Repr(echo))
	case d.Big != nil || d.Int > math.MaxInt:
		return fmt.Errorf("dimension %s is over %d", d.Repr(echo), math.MaxInt)
	}
	return nil
}
