package npytest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/par"
)

// sourceIndices are selected of every vector that they fit.
var sourceIndices = []string{"...", "0", "-1", "1:", ":-1", "::2", "::-1", "..., 0", "..., 1:", "..., ::-1", "0:0", "-1:, ..., ::-2", "['a']", "['x']", "[[-1, 0, 0]]", "..., [0]", "[[0], [0]]", "[['a']]"}

// TestSource checks a kind of [npy.Source] with every vector: the whole, parts, parts of parts, blocks with little and much
// memory, regions of one value, a second pass, several readers at the same time, and contexts that are cancelled before and
// during a read. A read with a context that is cancelled before must cost nothing: see [TestCancelledSource]. open returns
// the array of a vector, anew each time, or nil for a vector that the kind cannot hold. A Source that can be read only once
// has to say so on the second pass. [TestClosedSource] checks a Source after Close.
func TestSource(t *testing.T, vectors []Vector, open func(t *testing.T, v Vector) npy.Source) {
	tried := 0
	for _, v := range vectors {
		if v.HasObject() || open(t, v) == nil {
			continue
		}
		tried++
		whole, err := npy.ReadFile(v.Path)
		if err != nil {
			t.Fatal(err)
		}
		c := sourceCheck{t, v.Path, func() npy.Source { return open(t, v) }}
		c.part("", whole, c.open)
		c.together(whole)
		c.cancelled("", c.open)
		c.steps()
		for _, text := range sourceIndices {
			c.index(text, whole)
		}
	}
	if tried == 0 {
		t.Error("no vector was tried")
	}
	TestCancelledSource(t, open)
}

// A sourceCheck checks the Source of one vector.
type sourceCheck struct {
	t    *testing.T
	path string
	open func() npy.Source
}

// index checks the elements that an index selects, and their reverse.
func (c sourceCheck) index(text string, whole *npy.Array) {
	index, err := npy.ParseIndex(text)
	if err != nil {
		c.t.Fatal(err)
	}
	want, wantErr := whole.Slice(index...)
	if _, err := c.open().Select(index...); (err != nil) != (wantErr != nil) {
		c.t.Errorf("%s: Select %s: error %v, want %v", c.path, text, err, wantErr)
		return
	}
	if wantErr != nil {
		return
	}
	selected := func() npy.Source {
		s, err := c.open().Select(index...)
		if err != nil {
			c.t.Fatal(err)
		}
		return s
	}
	c.part("["+text+"]", want, selected)
	if want.NDim() == 0 {
		return
	}
	reversed, err := want.Slice(npy.All().By(-1))
	if err != nil {
		c.t.Fatal(err)
	}
	c.part("["+text+"][::-1]", reversed, func() npy.Source {
		s, err := selected().Select(npy.All().By(-1))
		if err != nil {
			c.t.Fatal(err)
		}
		return s
	})
}

// steps checks that only slices have a step.
func (c sourceCheck) steps() {
	for _, x := range []npy.Index{npy.At(0), npy.Ellipsis(), npy.List(0), npy.Named("a"), npy.NamedFields("a")} {
		if _, err := c.open().Select(x.By(2)); err == nil || !strings.Contains(err.Error(), "only slices have a step") {
			c.t.Errorf("%s: Select with a step of %v: error %v", c.path, x, err)
		}
	}
}

// part checks one array.
func (c sourceCheck) part(what string, want *npy.Array, open func() npy.Source) {
	c.t.Helper()
	src := open()
	if !src.DType().Equal(want.DType()) || !slices.Equal(src.Shape(), want.Shape()) {
		c.t.Errorf("%s%s: dtype %s and shape %v, want %s and %v", c.path, what, src.DType(), src.Shape(), want.DType(), want.Shape())
		return
	}
	a, err := src.ReadAll(context.Background())
	if err == nil {
		err = sameArray(a, want)
	}
	if err != nil {
		c.t.Errorf("%s%s: ReadAll: %v", c.path, what, err)
	}
	for _, memory := range []int64{0, 1, 100, 1 << 20} {
		if err := sameBlocks(open(), memory, want); err != nil {
			c.t.Errorf("%s%s: Blocks with %d bytes: %v", c.path, what, memory, err)
		}
	}
	if err := sameRegions(src, want); err != nil {
		c.t.Errorf("%s%s: Regions: %v", c.path, what, err)
	}
	if err := sameData(src, want); err != nil {
		c.t.Errorf("%s%s: Data: %v", c.path, what, err)
	}
	if a, err = src.ReadAll(context.Background()); err == nil {
		err = sameArray(a, want)
	} else if errors.Is(err, errors.ErrUnsupported) {
		err = nil // a stream
	}
	if err != nil {
		c.t.Errorf("%s%s: ReadAll, once more: %v", c.path, what, err)
	}
	c.cancelled(what, open)
}

// sameData returns an error unless the bytes of src are the elements of want in C order, read as a whole and at odd offsets. A Source
// whose elements cannot be read at any offset is fine.
func sameData(src npy.Source, want *npy.Array) error {
	data, ok := npy.DataOf(src)
	if !ok {
		return nil
	}
	all, err := io.ReadAll(data)
	if err != nil || !bytes.Equal(all, want.Contiguous().Bytes()) {
		return fmt.Errorf("%d bytes that differ from the %d bytes of the elements, error %v", len(all), want.NBytes(), err)
	}
	for low := 1; low < len(all); low += 1 + len(all)/7 {
		part := all[low:max(low, len(all)-low)]
		buf := make([]byte, len(part))
		if n, err := data.ReadAt(buf, int64(low)); n < len(part) || !bytes.Equal(buf, part) {
			return fmt.Errorf("%d bytes at %d, want other %d bytes, error %v", n, low, len(part), err)
		}
	}
	return nil
}

// cancelled checks reads whose context is cancelled before or after the first block.
func (c sourceCheck) cancelled(what string, open func() npy.Source) {
	c.t.Helper()
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := open().ReadAll(gone); !errors.Is(err, context.Canceled) {
		c.t.Errorf("%s%s: ReadAll with a cancelled context: error %v", c.path, what, err)
	}
	for _, err := range open().Blocks(gone, 1) {
		if !errors.Is(err, context.Canceled) {
			c.t.Errorf("%s%s: Blocks with a cancelled context: error %v", c.path, what, err)
		}
		break
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	src := open()
	left := int64(npy.HeaderOf(src).Size())
	for a, err := range src.Blocks(ctx, 1) {
		if err != nil && !errors.Is(err, context.Canceled) || err == nil && ctx.Err() != nil {
			c.t.Errorf("%s%s: Blocks after the context was cancelled: error %v", c.path, what, err)
		}
		if err != nil {
			left = 0
			break
		}
		left -= int64(a.Size())
		cancel()
	}
	if left > 0 {
		c.t.Errorf("%s%s: Blocks end without an error after the context was cancelled, %d elements early", c.path, what, left)
	}
}

// together checks that several goroutines can read a Source at the same time, and parts of it.
func (c sourceCheck) together(whole *npy.Array) {
	src := c.open()
	if again, err := npy.Rereadable(context.Background(), src); err != nil || again != src {
		return // a stream
	}
	parts, want := []npy.Source{src}, []*npy.Array{whole}
	if whole.NDim() > 0 {
		for _, index := range []npy.Index{npy.All().By(-1), npy.All().By(2)} {
			s, err := src.Select(index)
			a, errWhole := whole.Slice(index)
			if err := errors.Join(err, errWhole); err != nil {
				c.t.Errorf("%s: %v", c.path, err)
				return
			}
			parts, want = append(parts, s), append(want, a)
		}
	}
	n := 2 * len(parts)
	_ = par.Each(context.Background(), n, n, func(_, k int) error {
		s, want := parts[k/2], want[k/2]
		if err := sameBlocks(s, int64(1+99*k), want); err != nil {
			c.t.Errorf("%s: Blocks, with several readers: %v", c.path, err)
		}
		a, err := s.ReadAll(context.Background())
		if err == nil {
			err = sameArray(a, want)
		}
		if err != nil {
			c.t.Errorf("%s: ReadAll, with several readers: %v", c.path, err)
		}
		return nil
	})
}

// TestClosedSource checks that every read of a Source is an error that wraps [fs.ErrClosed] after its file, archive or
// mapping was closed. It reads the whole, and parts that were selected before and after. open returns the array of a
// vector and the function that closes its file, or nil for a vector that the kind cannot hold.
func TestClosedSource(t *testing.T, vectors []Vector, open func(t *testing.T, v Vector) (npy.Source, func() error)) {
	for _, v := range vectors {
		if v.HasObject() {
			continue
		}
		src, closing := open(t, v)
		if src == nil {
			continue
		}
		part, err := src.Select()
		if err := errors.Join(err, closing()); err != nil {
			t.Fatalf("%s: %v", v.Path, err)
		}
		for what, s := range map[string]npy.Source{"the whole": src, "a part": part} {
			if _, err := s.ReadAll(context.Background()); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("%s: ReadAll of %s after Close: error %v", v.Path, what, err)
			}
			err := error(nil)
			for _, err = range s.Blocks(context.Background(), 0) {
				break
			}
			nothing := err == nil && what == "a part" && npy.HeaderOf(s).NBytes() == 0 // there is nothing to read
			if !errors.Is(err, fs.ErrClosed) && !nothing {
				t.Errorf("%s: Blocks of %s after Close: error %v", v.Path, what, err)
			}
			later, err := s.Select()
			if err == nil {
				_, err = later.ReadAll(context.Background())
			}
			if !errors.Is(err, fs.ErrClosed) {
				t.Errorf("%s: a selection of %s after Close: error %v", v.Path, what, err)
			}
		}
	}
}

// sameBlocks puts the blocks of src together and compares them with want.
func sameBlocks(src npy.Source, memory int64, want *npy.Array) error {
	size := 0
	var data []byte
	for b, err := range src.Blocks(context.Background(), memory) {
		switch {
		case err != nil:
			return err
		case !b.IsC() || b.NDim() != want.NDim() || b.Size() == 0:
			return fmt.Errorf("a block of shape %v of an array of shape %v, C order: %t", b.Shape(), want.Shape(), b.IsC())
		}
		size += b.Size()
		data = append(data, b.Bytes()...)
	}
	if size != want.Size() || string(data) != string(want.Bytes()) {
		return fmt.Errorf("the blocks have %d elements and other bytes, want %d", size, want.Size())
	}
	return nil
}

// sameRegions checks the regions of src, if it has any: they are in order, together they are the whole array, no two overlap,
// and each that has a value has no other elements.
func sameRegions(src npy.Source, want *npy.Array) error {
	r, err := npy.RegionsOf(context.Background(), src)
	if r == nil {
		return err
	}
	covered := make([]bool, want.Size())
	constant, size := 0, 0
	var last []int
	for x := range r.All {
		part, err := want.Slice(x.Index()...)
		if err != nil || x.Size() == 0 || !slices.Equal(part.Shape(), x.Shape) {
			return fmt.Errorf("a region of shape %v at %v in an array of shape %v", x.Shape, x.Origin, want.Shape())
		}
		if last != nil && slices.Compare(last, x.Origin) >= 0 {
			return fmt.Errorf("a region at %v follows one at %v", x.Origin, last)
		}
		last = slices.Clone(x.Origin)
		for i := range x.Size() {
			at := elementOf(x, i, want.Shape())
			if covered[at] {
				return fmt.Errorf("a region of shape %v at %v overlaps another", x.Shape, x.Origin)
			}
			covered[at] = true
		}
		if size += x.Size(); x.Value == nil {
			continue
		}
		constant += x.Size()
		if !x.Value.DType().Equal(want.DType()) || x.Value.NDim() != 0 || string(part.Bytes()) != strings.Repeat(string(x.Value.Bytes()), x.Size()) {
			return fmt.Errorf("a region of shape %v at %v has other elements than %v", x.Shape, x.Origin, x.Value)
		}
	}
	if size != want.Size() || constant != r.Constant {
		return fmt.Errorf("regions of %d elements, %d of them of one value, in an array of %d; Constant is %d", size, constant, want.Size(), r.Constant)
	}
	return nil
}

// elementOf returns the number of an element of an array in C order, given its number within a region.
func elementOf(x npy.Region, i int, shape []int) (at int) {
	step := 1
	for axis := len(shape) - 1; axis >= 0; axis-- {
		at += (x.Origin[axis] + i%x.Shape[axis]) * step
		i /= x.Shape[axis]
		step *= shape[axis]
	}
	return at
}

func sameArray(a, want *npy.Array) error {
	if !a.DType().Equal(want.DType()) || !slices.Equal(a.Shape(), want.Shape()) || string(a.Bytes()) != string(want.Bytes()) {
		return fmt.Errorf("an array of dtype %s and shape %v with other elements, want %s and %v", a.DType(), a.Shape(), want.DType(), want.Shape())
	}
	return nil
}
