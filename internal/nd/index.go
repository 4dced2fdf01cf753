package nd

import (
	"fmt"

	"github.com/npygo/npy/internal/diag"
)

// An Index is one entry between the brackets of an index. The zero Index is ":".
type Index struct {
	Kind        Kind
	Start, Stop int // of a slice, as the flags say; Start is also the integer
	Step        int
	HasStart    bool
	HasStop     bool
	HasStep     bool
	Name        string // of a field
	Names       []string
	List        []int
}

// A Kind is a kind of [Index].
type Kind uint8

// The kinds of entries.
const (
	Slice Kind = iota
	Integer
	Ellipsis
	Field
	Fields
	List
)

// String returns the name of the kind of entry.
func (k Kind) String() string {
	return [...]string{"a slice", "an integer", "an ellipsis", "the name of a field", "a list of names", "a list of positions"}[k]
}

var (
	errEllipses = diag.New("npy", "an index can only have a single ellipsis ('...')")
	errKind     = diag.New("npy", "names and lists are not possible here; use only integers, slices and '...'")
	errStep     = diag.New("npy", "slice step cannot be zero")
)

// IsAll reports whether x is ":".
func (x Index) IsAll() bool { return x.Kind == Slice && !x.HasStart && !x.HasStop && !x.HasStep }

// Slice returns the view a[index], for an index without fields and lists. Axes without an entry are taken whole.
func (a *Array) Slice(index []Index) (Array, error) {
	ellipsis, given, kept := len(index), 0, len(a.Shape)
	for i, x := range index {
		if x.Kind > Ellipsis {
			return Array{}, errKind
		}
		if x.Kind != Ellipsis {
			given++
			if x.Kind == Integer {
				kept--
			}
			continue
		}
		if ellipsis != len(index) {
			return Array{}, errEllipses
		}
		ellipsis = i
	}
	if given > len(a.Shape) {
		return Array{}, diag.Errorf("npy", "too many indices: array is %d-dimensional, but %d were indexed", len(a.Shape), given)
	}
	b := Array{DType: a.DType, Data: a.Data, Offset: a.Offset, Shape: make([]int, 0, kept), Strides: make([]int, 0, kept)}
	for axis, n := range a.Shape {
		var x Index
		switch after := axis - (len(a.Shape) - given); {
		case axis < ellipsis:
			x = index[axis]
		case after >= ellipsis:
			x = index[after+1]
		}
		if err := b.add(x, axis, n, a.Strides[axis]); err != nil {
			return Array{}, err
		}
	}
	if b.Size() == 0 { // its strides may lead beyond Data
		b.Data, b.Offset = nil, 0
	}
	return b, nil
}

// An IndexError reports an index that is out of bounds for an axis.
type IndexError struct{ Index, Axis, Size int }

// Error returns one line.
func (e *IndexError) Error() string { return "npy: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *IndexError) Fault(_ string) string {
	return fmt.Sprintf("index %d is out of bounds for axis %d with size %d", e.Index, e.Axis, e.Size)
}

// add adds the axis of length n, as sliced by x.
func (b *Array) add(x Index, axis, n, stride int) error {
	if x.Kind == Integer {
		i := x.Start
		if i < 0 {
			i += n
		}
		if i < 0 || i >= n {
			return &IndexError{Index: x.Start, Axis: axis, Size: n}
		}
		b.Offset += i * stride
		return nil
	}
	start, step, count, err := x.Resolve(n)
	if err != nil {
		return err
	}
	if count > 0 {
		b.Offset += start * stride
	}
	b.Shape = append(b.Shape, count)
	b.Strides = append(b.Strides, stride*step)
	return nil
}

// Resolve returns the positions of a slice on an axis of length n: count positions from start, a step apart. As in
// Python's slice.indices both ends are clamped to the axis, and the missing ends of a negative step are swapped.
func (x Index) Resolve(n int) (start, step, count int, err error) {
	step = 1
	if x.HasStep {
		step = min(max(x.Step, -max(n, 1)), max(n, 1)) // larger steps select the same, and could overflow a stride
	}
	if step == 0 {
		return 0, 0, 0, errStep
	}
	low, high := 0, n // the limits of start and stop
	if step < 0 {
		low, high = -1, n-1
	}
	start, stop := low, high
	if step < 0 {
		start, stop = high, low
	}
	if x.HasStart {
		start = clamp(x.Start, n, low, high)
	}
	if x.HasStop {
		stop = clamp(x.Stop, n, low, high)
	}
	switch {
	case step > 0 && stop > start:
		count = (stop-start-1)/step + 1
	case step < 0 && stop < start:
		count = (start-stop-1)/-step + 1
	}
	if count <= 1 { // no second position
		step = 1
	}
	return start, step, count, nil
}

// clamp returns position i, counted from the end if it is negative, within limits.
func clamp(i, n, low, high int) int {
	if i < 0 {
		i += n
	}
	return min(max(i, low), high)
}
