package parts

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/diag"
)

// A Manifest describes an array of several parts that follow each other along an axis.
type Manifest struct {
	DType dtype.Type // of every part, its byte order too
	Shape []int      // of the whole array
	Axis  int        // along which the parts follow each other, from 0
	Parts []Part     // in their order along Axis
}

// A Part is one of the files of an array.
type Part struct {
	Path string `json:"path"` // relative to the manifest, with slashes
	Rows int    `json:"rows"` // the number of elements along the axis

	ETag  string `json:"etag,omitempty"`  // the version of the file that a server gives; "" if it is not known
	CRC32 string `json:"crc32,omitempty"` // of the bytes of the file, as [Checksum] returns it; "" if it is not known
}

// PartShape returns the shape of part i.
func (m Manifest) PartShape(i int) []int {
	shape := slices.Clone(m.Shape)
	shape[m.Axis] = m.Parts[i].Rows
	return shape
}

// Validate returns an error unless the manifest describes a possible array, whose parts add up to its shape. Every
// function here that takes a Manifest calls it. Any [Opener] may define its paths. Manifests that are read and written,
// and [Dir], take only paths that [CheckPath] accepts.
func (m Manifest) Validate() error {
	h := format.Header{DType: m.DType, Shape: m.Shape}
	switch {
	case !m.DType.IsValid():
		return diag.New("parts", "no dtype")
	case m.DType.HasObject():
		return diag.Errorf("parts", "dtype %s holds Python objects, which are not read in parts", m.DType)
	case m.Axis < 0 || m.Axis >= len(m.Shape):
		return diag.Errorf("parts", "axis %d is out of bounds for an array of %d dimensions", m.Axis, len(m.Shape))
	case len(m.Parts) == 0:
		return diag.New("parts", "no parts")
	}
	if err := h.Validate(); err != nil {
		return err
	}
	left := m.Shape[m.Axis] // not negative
	for i, p := range m.Parts {
		if err := p.validate(); err != nil {
			return diag.Errorf("parts", "part %d of %d: %w", i+1, len(m.Parts), err)
		}
		if left -= p.Rows; left < 0 {
			return diag.Errorf("parts", "the parts up to %q have more rows than the %d of the array", p.Path, m.Shape[m.Axis])
		}
	}
	if left > 0 {
		return diag.Errorf("parts", "the parts have %d rows, want the %d of the array", m.Shape[m.Axis]-left, m.Shape[m.Axis])
	}
	return nil
}

// checkPaths checks the path of every part.
func (m Manifest) checkPaths() error {
	for i, p := range m.Parts {
		if err := CheckPath(p.Path); err != nil {
			return diag.Errorf("parts", "part %d of %d: %w", i+1, len(m.Parts), err)
		}
	}
	return nil
}

func (p Part) validate() error {
	if p.Rows < 0 {
		return fmt.Errorf("%q has %d rows", p.Path, p.Rows)
	}
	if p.CRC32 != "" && !isChecksum(p.CRC32) {
		return fmt.Errorf("%q: crc32 %q: want eight digits 0-9a-f", p.Path, p.CRC32)
	}
	if !utf8.ValidString(p.ETag) {
		return fmt.Errorf("%q: etag %q is not UTF-8", p.Path, p.ETag)
	}
	return nil
}

// CheckPath returns an error unless a path of a part is relative to its manifest and stays in its folder on every system:
// slashes between names, no "..", no backslash and no colon, which begin drives, streams and URLs.
func CheckPath(path string) error {
	switch {
	case !fs.ValidPath(path) || path == ".":
		return fmt.Errorf("path %q: want a path relative to the manifest, without \"..\" and empty names", path)
	case strings.ContainsAny(path, `\:`):
		return fmt.Errorf("path %q: a path with a backslash or a colon can lead out of the folder", path)
	case strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Errorf("path %q has a control character", path)
	}
	return nil
}
