package netcdf

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/magic"
)

// A header describes the data of a file.
type header struct {
	version    int   // 1, 2 or 5
	records    int64 // -1 if the file does not say
	dims       []dimension
	attributes []attribute
	vars       []*variable
	end        int64 // of the header
}

// A dimension has a name and a length, 0 for the record dimension.
type dimension struct {
	name string
	n    int64
}

// An attribute is values as they are in the file.
type attribute struct {
	name string
	typ  uint32
	n    int64
	data []byte
}

// A variable is an array as the header describes it.
type variable struct {
	name       string
	dims       []int // numbers of dimensions
	attributes []attribute
	typ        uint32
	begin      int64
	at         int64 // of its description, for errors
	err        error // why it cannot be read
}

// A parser reads a header. After an error it reads zeros.
type parser struct {
	r    *bufio.Reader
	at   int64
	size int64
	wide bool // 64-bit numbers, CDF-5
	err  error
}

// readHeader reads the header of a file of size bytes.
func readHeader(r io.ReaderAt, size int64) (*header, error) {
	version, ok := versionOf(r, size)
	if !ok {
		return nil, diag.New("netcdf", "neither netCDF-3 nor netCDF-4"+magic.Colon(magic.ExplainFile(r, magic.NetCDF)))
	}
	p := &parser{r: bufio.NewReaderSize(io.NewSectionReader(r, 4, size-4), 64<<10), at: 4, size: size, wide: version == 5}
	h := &header{version: version, records: p.records()}
	h.dims = list(p, tagDimension, 1, func() dimension { return dimension{p.name(), p.count()} })
	h.attributes = p.attributes()
	h.vars = list(p, tagVariable, 6, func() *variable { return p.variable(version) })
	h.end = p.at
	if p.err != nil {
		return nil, p.err
	}
	return h, h.check()
}

// versionOf returns the version of a netCDF-3 file.
func versionOf(r io.ReaderAt, size int64) (int, bool) {
	var magic [4]byte
	if size < 4 {
		return 0, false
	}
	if _, err := io.ReadFull(io.NewSectionReader(r, 0, 4), magic[:]); err != nil || string(magic[:3]) != "CDF" {
		return 0, false
	}
	return int(magic[3]), magic[3] == 1 || magic[3] == 2 || magic[3] == 5
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = &Error{Offset: p.at, Err: fmt.Errorf(format, args...)}
	}
}

// bytes reads n bytes, which must be there.
func (p *parser) bytes(n int64) []byte {
	if n > p.size-p.at {
		p.fail("%d bytes are needed and %d are left: %w", n, p.size-p.at, io.ErrUnexpectedEOF)
	}
	if p.err != nil {
		return nil
	}
	b, err := bounded.ReadAll(p.r, int(n))
	if err != nil {
		p.fail("reading the header: %w", err)
		return nil
	}
	p.at += n
	return b
}

func (p *parser) uint32() uint32 {
	if b := p.bytes(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (p *parser) uint64() uint64 {
	if b := p.bytes(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// count reads a number that must not be negative.
func (p *parser) count() int64 {
	n := int64(0)
	if at := p.at; p.wide {
		n = int64(p.uint64())
		if n < 0 {
			p.at = at
		}
	} else if n = int64(int32(p.uint32())); n < 0 {
		p.at = at
	}
	if n < 0 {
		p.fail("%d is negative", n)
		return 0
	}
	return n
}

// records reads the number of records, -1 if the file was streamed.
func (p *parser) records() int64 {
	if p.wide {
		n := p.uint64()
		if n == math.MaxUint64 {
			return -1
		}
		if n > math.MaxInt64 {
			p.fail("%d records", n)
		}
		return int64(n)
	}
	n := p.uint32()
	if n == math.MaxUint32 {
		return -1
	}
	return int64(n)
}

// padded reads n bytes and the padding to a multiple of 4.
func (p *parser) padded(n int64) []byte {
	if n > p.size-p.at { // before the sum, which could wrap
		p.bytes(n)
		return nil
	}
	b := p.bytes((n + 3) &^ 3)
	if b == nil {
		return nil
	}
	return b[:n]
}

func (p *parser) name() string { return string(p.padded(p.count())) }

// list reads a list, each of whose items has at least a number of words of four bytes.
func list[T any](p *parser, tag uint32, words int64, item func() T) []T {
	at := p.at
	found, n := p.uint32(), p.count()
	switch {
	case p.err != nil:
		return nil
	case found == 0 && n == 0:
		return nil
	case found != tag:
		p.at = at
		p.fail("a list with tag %d, want %d", found, tag)
		return nil
	case n > (p.size-p.at)/(4*words):
		p.fail("a list of %d items in %d bytes: %w", n, p.size-p.at, io.ErrUnexpectedEOF)
		return nil
	}
	var items []T
	for range n {
		x := item()
		if p.err != nil {
			return nil
		}
		items = append(items, x)
	}
	return items
}

func (p *parser) attributes() []attribute {
	return list(p, tagAttribute, 3, func() attribute {
		a := attribute{name: p.name(), typ: p.uint32()}
		at := p.at
		a.n = p.count()
		t, ok := typeOf(a.typ)
		switch {
		case p.err != nil:
		case !ok:
			p.at = at - 4
			p.fail("attribute %.40q has unknown type %d", a.name, a.typ)
		case a.n > (p.size-p.at)/int64(t.ItemSize()):
			p.fail("attribute %.40q has %d values in %d bytes: %w", a.name, a.n, p.size-p.at, io.ErrUnexpectedEOF)
		default:
			a.data = p.padded(a.n * int64(t.ItemSize()))
		}
		return a
	})
}

func (p *parser) variable(version int) *variable {
	v := &variable{at: p.at, name: p.name()}
	n := p.count()
	if n > (p.size-p.at)/4 {
		p.fail("variable %.40q has %d dimensions in %d bytes: %w", v.name, n, p.size-p.at, io.ErrUnexpectedEOF)
		return v
	}
	if n > format.MaxDims {
		v.err = &Error{v.name, v.at, fmt.Errorf("%d dimensions, more than %d", n, format.MaxDims)}
	}
	for range n {
		number := p.count()
		if v.err == nil {
			v.dims = append(v.dims, int(min(number, math.MaxInt32)))
		}
	}
	v.attributes = p.attributes()
	v.typ = p.uint32()
	p.size4(version) // vsize, which follows from the dimensions and may be wrong for large variables
	switch version {
	case 1:
		v.begin = int64(p.uint32())
	default:
		v.begin = int64(p.uint64())
	}
	return v
}

// size4 skips the size of a variable.
func (p *parser) size4(version int) {
	if version == 5 {
		p.uint64()
		return
	}
	p.uint32()
}

// check finds the faults of each variable.
func (h *header) check() error {
	seen := map[string]bool{}
	for _, v := range h.vars {
		fail := func(format string, args ...any) {
			if v.err == nil {
				v.err = &Error{v.name, v.at, fmt.Errorf(format, args...)}
			}
		}
		if v.name == "" || strings.Contains(v.name, "/") {
			fail("the name %q is empty or has a slash", v.name)
		}
		if seen[v.name] {
			fail("the name occurs twice")
		}
		seen[v.name] = true
		if _, ok := typeOf(v.typ); !ok {
			fail("unknown type %d", v.typ)
		}
		if v.begin < 0 {
			fail("the data begins at byte %d", uint64(v.begin))
		}
		for i, d := range v.dims {
			if d >= len(h.dims) {
				fail("dimension %d is number %d of %d", i, d, len(h.dims))
			} else if i > 0 && h.dims[d].n == 0 {
				fail("the dimension of the records, %s, is not the first", h.dims[d].name)
			}
		}
	}
	return nil
}

// isRecord reports whether a variable has a part in every record.
func (h *header) isRecord(v *variable) bool {
	return v.err == nil && len(v.dims) > 0 && h.dims[v.dims[0]].n == 0
}

// perRecord returns the bytes of a variable in one record, or of a whole fixed variable, without padding.
func (h *header) perRecord(v *variable) (int64, bool) {
	t, ok := typeOf(v.typ)
	if !ok {
		return 0, false
	}
	n := int64(t.ItemSize())
	for i, d := range v.dims {
		if i == 0 && h.isRecord(v) {
			continue
		}
		m := h.dims[d].n
		if m != 0 && n > math.MaxInt64/8/m {
			return 0, false
		}
		n *= m
	}
	return n, true
}

// names returns the names of the dimensions of a variable.
func (h *header) names(v *variable) []string {
	names := make([]string, len(v.dims))
	for i, d := range v.dims {
		names[i] = h.dims[d].name
	}
	return names
}
