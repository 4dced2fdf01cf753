package parts

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/atomicfile"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/jsontext"
	"github.com/npygo/npy/internal/magic"
)

// Ending is the ending of the names of manifests.
const Ending = ".npy.json"

const (
	formatName = "npy parts"
	version    = 1

	defaultMaxBytes = 64 << 20
	defaultMaxParts = 1 << 20
)

// A Decoder reads manifests with limits. In each, 0 means the default, and a negative number means math.MaxInt32.
type Decoder struct {
	MaxBytes int64 // of a manifest, 64 MiB by default
	MaxParts int   // 1,048,576 by default
}

// Decode reads a manifest. It is strict: an unknown version, an unknown key, a key that occurs twice and anything that
// [Manifest.Validate] refuses is an error.
func (d Decoder) Decode(r io.Reader) (Manifest, error) {
	most := orDefault(d.MaxBytes, defaultMaxBytes)
	data, err := readText(r, most)
	if err != nil {
		return Manifest{}, err
	}
	if int64(len(data)) > most {
		return Manifest{}, diag.Wrap("parts", bounded.Over("MaxBytes", most, 0, "a manifest of more than %d bytes", most))
	}
	return d.parse(bulk.String(data)) // the strings of the manifest are parts of it, and it never changes
}

// readText reads at most one byte more than most. Where the size is known no memory is left over, so that a manifest of a million
// parts takes little.
func readText(r io.Reader, most int64) ([]byte, error) {
	size := int64(-1)
	switch r := r.(type) {
	case *os.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	case interface{ Size() int64 }:
		size = r.Size()
	}
	if size < 0 || size > most {
		return io.ReadAll(io.LimitReader(r, most+1))
	}
	data, err := bounded.ReadAll(r, int(size))
	if err == io.ErrUnexpectedEOF { // it is shorter: read from its middle, or cut since
		err = nil
	}
	if err != nil || int64(len(data)) < size {
		return data, err
	}
	rest, err := io.ReadAll(io.LimitReader(r, most+1-size)) // it has grown since
	return append(data, rest...), err
}

// ReadFile reads the manifest in a file.
func (d Decoder) ReadFile(path string) (Manifest, error) {
	f, err := os.Open(path)
	if err != nil {
		return Manifest{}, err
	}
	defer f.Close()
	m, err := d.Decode(f)
	if err != nil {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// ReadFile reads the manifest in a file with the default limits.
func ReadFile(path string) (Manifest, error) { return Decoder{}.ReadFile(path) }

func orDefault[T int | int64](field, standard T) T {
	switch {
	case field == 0:
		return standard
	case field < 0:
		return math.MaxInt32
	}
	return field
}

// IsManifest reports whether a file is a manifest, by its first bytes: 64 are enough.
func IsManifest(head []byte) bool {
	s := jsontext.Scanner{Text: string(head), End: len(head), Failed: func(int, error) error { return errors.ErrUnsupported }}
	if s.Peek() != '{' || s.Enter() != nil || s.Peek() != '"' {
		return false
	}
	key, err := s.Str()
	if err != nil || key != "format" || s.Next(':', "") != nil || s.Peek() != '"' {
		return false
	}
	name, err := s.Str()
	return err == nil && name == formatName
}

// UnmarshalJSON reads a manifest as [Decoder.Decode] does, with the default limits.
func (m *Manifest) UnmarshalJSON(data []byte) error {
	read, err := Decoder{}.parse(string(data))
	if err == nil {
		*m = read
	}
	return err
}

// parse reads the text of a manifest.
func (d Decoder) parse(text string) (Manifest, error) {
	p := &parser{limits: d}
	p.Scanner = jsontext.Scanner{Text: text, End: len(text), Failed: func(at int, err error) error {
		return diag.Errorf("parts", "invalid manifest at byte %d: %w", at, err)
	}}
	if err := p.manifest(); err != nil {
		if other := magic.Explain([]byte(text[:min(len(text), magic.Size)]), magic.Parts); other != "" {
			err = diag.New("parts", "not a manifest: "+other)
		}
		return Manifest{}, err
	}
	if p.Peek() != 0 || p.Pos != p.End {
		return Manifest{}, p.Unexpected("the end of the manifest")
	}
	if err := p.m.checkPaths(); err != nil {
		return Manifest{}, err
	}
	return p.m, p.m.Validate()
}

// A parser reads the text of one manifest.
type parser struct {
	jsontext.Scanner
	limits Decoder
	m      Manifest
}

func (p *parser) manifest() error {
	return p.object(func(key string) (bit uint, err error) {
		switch key {
		case "format":
			return 1 << 0, p.formatName()
		case "version":
			return 1 << 1, p.version()
		case "dtype":
			return 1 << 2, p.dtype()
		case "shape":
			return 1 << 3, p.shape()
		case "axis":
			p.m.Axis, err = p.count()
			return 1 << 4, err
		case "parts":
			return 1 << 5, p.parts()
		}
		return 0, nil
	}, "format", "version", "dtype", "shape", "axis", "parts")
}

// object reads an object, with read for the value of each key, which returns the bit of the key, or 0 for an unknown key. required
// names the keys that must be there, by their bits.
func (p *parser) object(read func(key string) (bit uint, err error), required ...string) error {
	if p.Peek() != '{' {
		return p.Unexpected("an object")
	}
	start, seen := p.Pos, uint(0)
	err := p.Members(func(key string, at int) error {
		bit, err := read(key)
		switch {
		case err != nil:
			return err
		case bit == 0:
			return p.Fail(at, "unknown key %s", jsontext.Quote(key))
		case seen&bit != 0:
			return p.Fail(at, "key %q occurs twice", key)
		}
		seen |= bit
		return nil
	})
	if err != nil {
		return err
	}
	for i, key := range required {
		if seen&(1<<i) == 0 {
			return p.Fail(start, "key %q is missing", key)
		}
	}
	return nil
}

// text reads a string.
func (p *parser) text() (string, error) {
	if p.Peek() != '"' {
		return "", p.Unexpected("a string")
	}
	return p.Str()
}

// count reads a number without sign, fraction and exponent that is an int.
func (p *parser) count() (int, error) {
	t, err := p.Token()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(t.Text, 10, strconv.IntSize-1)
	if t.Kind != jsontext.Number || err != nil {
		return 0, p.Fail(t.At, "%s where a number of elements should be", t)
	}
	return int(n), nil
}

func (p *parser) formatName() error {
	at := p.Pos
	name, err := p.text()
	if err == nil && name != formatName {
		err = p.Fail(at, "format %s, want %q", jsontext.Quote(name), formatName)
	}
	return err
}

func (p *parser) version() error {
	at := p.Pos
	n, err := p.count()
	if err == nil && n != version {
		err = p.Fail(at, "version %d is not known; this is for version %d: %w", n, version, errors.ErrUnsupported)
	}
	return err
}

func (p *parser) dtype() error {
	p.Peek()
	at := p.Pos
	text, err := p.text()
	if err != nil {
		return err
	}
	p.m.DType, err = dtype.Parse(text)
	if err == nil && p.m.DType.Descr() != text {
		err = fmt.Errorf("want the descr %s", p.m.DType.Descr())
	}
	if err != nil {
		return p.Fail(at, "dtype %s: %w", jsontext.Quote(text), err)
	}
	return nil
}

// list reads a list of at most most items.
func (p *parser) list(what string, most int, item func() error) error {
	if p.Peek() != '[' {
		return p.Unexpected("a list")
	}
	if err := p.Enter(); err != nil {
		return err
	}
	for i := 0; ; i++ {
		more, err := p.Item(i, ']')
		if err != nil {
			return err
		}
		if !more {
			p.Leave()
			return nil
		}
		if i == most {
			return p.Failed(p.Pos, bounded.Over("MaxParts", most, 0, "more than %d %s", most, what))
		}
		if err := item(); err != nil {
			return err
		}
	}
}

func (p *parser) shape() error {
	return p.list("dimensions", format.MaxDims, func() error {
		n, err := p.count()
		p.m.Shape = append(p.m.Shape, n)
		return err
	})
}

// leastPart is the length of the shortest part in a manifest.
const leastPart = len(`{"path":"a","rows":0},`)

func (p *parser) parts() error {
	most := orDefault(p.limits.MaxParts, defaultMaxParts)
	left := p.Text[p.Pos:p.End]
	p.m.Parts = make([]Part, 0, min(strings.Count(left, `"rows"`), len(left)/leastPart+1, most))
	return p.list("parts", most, func() error {
		p.m.Parts = append(p.m.Parts, Part{})
		return p.object(p.partValue, "path", "rows")
	})
}

// partValue reads the value of a key of the last part.
func (p *parser) partValue(key string) (bit uint, err error) {
	part := &p.m.Parts[len(p.m.Parts)-1]
	switch key {
	case "path":
		part.Path, err = p.text()
		return 1 << 0, err
	case "rows":
		part.Rows, err = p.count()
		return 1 << 1, err
	case "etag":
		part.ETag, err = p.text()
		return 1 << 2, err
	case "crc32":
		part.CRC32, err = p.text()
		return 1 << 3, err
	}
	return 0, nil
}

// MarshalJSON returns the manifest as JSON.
func (m Manifest) MarshalJSON() ([]byte, error) { return m.Append(nil) }

// Append appends the manifest as JSON, with a line for each part, to dst.
func (m Manifest) Append(dst []byte) ([]byte, error) {
	if err := cmp.Or(m.Validate(), m.checkPaths()); err != nil {
		return dst, err
	}
	dst = append(dst, "{\n  \"format\": "...)
	dst = appendText(dst, formatName)
	dst = fmt.Appendf(dst, ",\n  \"version\": %d,\n  \"dtype\": ", version)
	dst = appendText(dst, m.DType.Descr())
	dst = append(dst, ",\n  \"shape\": "...)
	dst = appendShape(dst, m.Shape)
	dst = fmt.Appendf(dst, ",\n  \"axis\": %d,\n  \"parts\": [", m.Axis)
	for i, p := range m.Parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, "\n    {\"path\": "...)
		dst = appendText(dst, p.Path)
		dst = fmt.Appendf(dst, ", \"rows\": %d", p.Rows)
		if p.ETag != "" {
			dst = append(dst, ", \"etag\": "...)
			dst = appendText(dst, p.ETag)
		}
		if p.CRC32 != "" {
			dst = append(dst, ", \"crc32\": "...)
			dst = appendText(dst, p.CRC32)
		}
		dst = append(dst, '}')
	}
	return append(dst, "\n  ]\n}\n"...), nil
}

// appendText appends a string in ASCII: a terminal may obey other characters.
func appendText(dst []byte, s string) []byte {
	start := len(dst)
	dst = jsontext.AppendString(dst, s)
	var text []byte // from the first character that is escaped here
	for i, r := range string(dst[start:]) {
		switch {
		case r < 0x7f:
			if text != nil {
				text = append(text, byte(r))
			}
			continue
		case text == nil:
			text = append(make([]byte, 0, 2*len(s)), dst[start:start+i]...)
		}
		if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
			text = fmt.Appendf(text, `\u%04x\u%04x`, hi, lo)
			continue
		}
		text = fmt.Appendf(text, `\u%04x`, r)
	}
	if text == nil {
		return dst
	}
	return append(dst[:start], text...)
}

// appendShape appends a shape as a JSON list.
func appendShape(dst []byte, shape []int) []byte {
	dst = append(dst, '[')
	for i, n := range shape {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, ']')
}

// WriteFile writes the manifest to a file, which is replaced as a whole.
func (m Manifest) WriteFile(path string) error {
	data, err := m.Append(nil)
	if err != nil {
		return err
	}
	return writeFile(path, data)
}

func writeFile(path string, data []byte) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit(false)
}
