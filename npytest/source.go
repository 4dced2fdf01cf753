package npytest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/npygo/npy"
)

// sourceIndices are selected of every vector that they fit.
var sourceIndices = []string{"...", "0", "-1", "1:", ":-1", "::2", "::-1", "..., 0", "..., 1:", "..., ::-1", "0:0", "-1:, ..., ::-2", "['a']", "['x']"}

// TestSource checks a kind of [npy.Source] with every vector: the whole, parts, parts of parts, blocks with little and much
// memory, a second pass and a cancelled context. open returns the array of a vector, anew each time, or nil for a vector
// that the kind cannot hold. A Source that can be read only once has to say so on the second pass.
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
		for _, text := range sourceIndices {
			c.index(text, whole)
		}
	}
	if tried == 0 {
		t.Error("no vector was tried")
	}
}

// A sourceCheck checks the Source of one vector.
type sourceCheck struct {
	t    *testing.T
	path string
	open func() npy.Source
}

// index checks what an index selects, and the reverse of that.
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
	if a, err = src.ReadAll(context.Background()); err == nil {
		err = sameArray(a, want)
	} else if errors.Is(err, errors.ErrUnsupported) {
		err = nil // a stream
	}
	if err != nil {
		c.t.Errorf("%s%s: ReadAll, once more: %v", c.path, what, err)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := open().ReadAll(gone); !errors.Is(err, context.Canceled) {
		c.t.Errorf("%s%s: ReadAll with a cancelled context: error %v", c.path, what, err)
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

func sameArray(a, want *npy.Array) error {
	if !a.DType().Equal(want.DType()) || !slices.Equal(a.Shape(), want.Shape()) || string(a.Bytes()) != string(want.Bytes()) {
		return fmt.Errorf("an array of dtype %s and shape %v with other elements, want %s and %v", a.DType(), a.Shape(), want.DType(), want.Shape())
	}
	return nil
}
