package arrays

import (
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/sink"
)

// A Sink receives the array that a converter reads: it has the methods of convert.Sink: in one call of Array, or in pieces by Begin followed by Write.
type Sink interface {
	// Array receives a whole array. The converter must not use the array afterwards.
	Array(a *npy.Array) error

	// Begin sets dtype and shape. The array must have at least one dimension. shape[0] is -1 while unknown.
	Begin(t dtype.Type, shape []int) error

	// Write receives the next elements in C order, in the byte order of the dtype. It does not retain p. The total number
	// of bytes must match the shape.
	Write(p []byte) error
}

// Piece is the number of bytes that readers collect before they call Write, unless an element of the first axis is longer.
// The elements of a text may be much longer than their texts.
const Piece = 1 << 20

// A Finisher is a Sink that can complete its output and return its dtype and shape.
type Finisher interface {
	Sink
	Finish() (dtype.Type, []int, error)
}

// elements is the byte count of a sink that receives pieces.
type elements struct {
	dtype dtype.Type
	shape []int // the first axis may be -1 until the end
	row   int   // bytes per element of the first axis
	have  int   // bytes received
	want  int   // bytes expected, -1 if unknown
}

func newElements(t dtype.Type, shape []int) (e elements, err error) {
	if len(shape) == 0 || shape[0] < -1 {
		return e, diag.Errorf("convert", "a sink cannot have shape %s", format.ShapeString(shape))
	}
	rest := format.Header{DType: t, Shape: append([]int{max(shape[0], 1)}, shape[1:]...)}
	if err := rest.Validate(); err != nil {
		return e, err
	}
	e = elements{dtype: t, shape: append([]int{}, shape...), row: int(rest.NBytes()) / rest.Shape[0], want: -1}
	if shape[0] >= 0 {
		e.want = shape[0] * e.row
	}
	return e, nil
}

// add counts n further bytes.
func (e *elements) add(n int) error {
	if e.want >= 0 && n > e.want-e.have {
		return diag.Errorf("convert", "%d bytes of elements are more than the %d of shape %s", e.have+n, e.want, format.ShapeString(e.shape))
	}
	e.have += n
	return nil
}

// close checks that all elements have arrived, and sets the length of the first axis.
func (e *elements) close() error {
	switch {
	case e.want >= 0 && e.have < e.want:
		return diag.Errorf("convert", "the data ends after %d of %d bytes: %w", e.have, e.want, io.ErrUnexpectedEOF)
	case e.want < 0 && e.row > 0 && e.have%e.row != 0:
		return diag.Errorf("convert", "the data ends within a row of %d bytes: %w", e.row, io.ErrUnexpectedEOF)
	case e.want < 0 && e.row > 0:
		e.shape[0] = e.have / e.row
	}
	e.shape[0] = max(e.shape[0], 0)
	return nil
}

// A Memory makes an array in memory. Its memory grows with the data received, not with the size announced.
type Memory struct {
	elements
	data  []byte
	array *npy.Array
}

// Array implements [Sink].
func (m *Memory) Array(a *npy.Array) error { m.array = a; return nil }

// Begin implements [Sink].
func (m *Memory) Begin(t dtype.Type, shape []int) (err error) {
	m.elements, err = newElements(t, shape)
	return err
}

// Write implements [Sink].
func (m *Memory) Write(p []byte) error {
	if err := m.add(len(p)); err != nil {
		return err
	}
	if len(p) > cap(m.data)-len(m.data) {
		m.grow(len(p))
	}
	m.data = append(m.data, p...)
	return nil
}

// grow extends the buffer for n more bytes. Once an eighth of the expected bytes has arrived, it allocates all of them.
func (m *Memory) grow(n int) {
	need := len(m.data) + n
	size := max(2*cap(m.data), need, min(m.want, bounded.First))
	if m.want >= 0 && (size > m.want || need >= m.want/8) {
		size = m.want
	}
	m.data = append(bulk.MakeFill[byte](size)[:0], m.data...)
}

// Result returns the array, after Finish.
func (m *Memory) Result() *npy.Array { return m.array }

// Finish implements [Finisher].
func (m *Memory) Finish() (dtype.Type, []int, error) {
	if m.array == nil {
		if err := m.close(); err != nil {
			return m.dtype, nil, err
		}
		a, err := npy.FromBytes(m.dtype, m.data, m.shape...)
		if err != nil {
			return m.dtype, nil, err
		}
		m.array = a
	}
	return m.array.DType(), m.array.Shape(), nil
}

// A File writes an .npy file.
type File struct {
	elements
	W       io.Writer // of the file
	Version format.Version
	rows    *sink.Rows
	array   *npy.Array
}

// Array implements [Sink].
func (f *File) Array(a *npy.Array) error {
	f.array = a
	return npy.Encoder{Version: f.Version}.Write(f.W, a)
}

// Begin implements [Sink].
func (f *File) Begin(t dtype.Type, shape []int) (err error) {
	if f.elements, err = newElements(t, shape); err != nil {
		return err
	}
	f.rows, err = sink.New(f.W, format.Header{Version: f.Version, DType: t, Shape: shape[1:]}, shape[0])
	return err
}

// Write implements [Sink].
func (f *File) Write(p []byte) error {
	if err := f.add(len(p)); err != nil {
		return err
	}
	return f.rows.Write(p)
}

// Finish implements [Finisher].
func (f *File) Finish() (dtype.Type, []int, error) {
	if f.array != nil {
		return f.array.DType(), f.array.Shape(), nil
	}
	if err := f.close(); err != nil {
		return f.dtype, nil, err
	}
	f.rows.Done(f.shape[0])
	return f.dtype, f.shape, f.rows.Close()
}
