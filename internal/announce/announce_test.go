package announce_test

import (
	"io"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/announce"
	"github.com/npygo/npy/internal/closable"
)

type slow struct {
	*strings.Reader
	offset, n int64
}

func (s *slow) WillRead(offset, n int64) { s.offset, s.n = offset, n }

// Announcements for sections and guards reach the source, at its own offset and not past the section.
func TestReads(t *testing.T) {
	for _, c := range []struct {
		wrap              func(r io.ReaderAt) io.ReaderAt
		offset, n         int64
		wantOffset, wantN int64
	}{
		{func(r io.ReaderAt) io.ReaderAt { return r }, 3, 4, 3, 4},
		{func(r io.ReaderAt) io.ReaderAt { return closable.New(r, nil) }, 3, 4, 3, 4},
		{func(r io.ReaderAt) io.ReaderAt { return io.NewSectionReader(r, 10, 20) }, 3, 4, 13, 4},
		{func(r io.ReaderAt) io.ReaderAt { return io.NewSectionReader(r, 10, 20) }, 3, 40, 13, 17},
		{func(r io.ReaderAt) io.ReaderAt { return io.NewSectionReader(r, 10, 20) }, 20, 1, 0, 0},
		{func(r io.ReaderAt) io.ReaderAt {
			return io.NewSectionReader(closable.New(io.NewSectionReader(r, 100, 50), nil), 10, 20)
		}, 5, 100, 115, 15},
	} {
		var s slow
		announce.Reads(c.wrap(&s), c.offset, c.n)
		if s.offset != c.wantOffset || s.n != c.wantN {
			t.Errorf("%d bytes at %d: the source is told of %d at %d, want %d at %d", c.n, c.offset, s.n, s.offset, c.wantN, c.wantOffset)
		}
	}
	announce.Reads(strings.NewReader("a source without the method"), 0, 5)
}
