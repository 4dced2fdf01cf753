package npz

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/internal/zipfile"
)

// A Member is a named entry of an archive.
type Member struct {
	Name  string     // as in [Reader.Names]
	Array *npy.Array // nil if the member is not an array
	Bytes []byte     // the contents if the member is not an array, else nil
}

const (
	batchBytes   = 256 << 10 // of small members that are read together
	batchMembers = 256
	aheadBytes   = 256 << 20 // read before the loop asks for it; a single member may be larger
)

// All returns an iterator over all members in the order of the archive. It reads ahead of the loop on all processors.
// A member that cannot be read comes with its name and the error, and the loop goes on with the next. Several members
// of the same name all come; in a map filled in this order the last one remains, as in NumPy.
//
// The loop may end early, which ends the reading. At most 256 MB are read ahead of it, except for a single larger member.
func (z *Reader) All() iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		ctx := par.WithBudget(context.Background())
		rest := z.dir.Entries
		next := func() (batch []zipfile.Entry, size int64, ok bool) {
			batch, size = nextBatch(rest)
			rest = rest[len(batch):]
			return batch, size, len(batch) > 0
		}
		read := func(batch []zipfile.Entry) ([]result, error) { return z.readBatch(ctx, batch), nil }
		for results := range par.Ahead(ctx, par.Workers(), aheadBytes, next, read) {
			for _, r := range results {
				if !yield(r.Member, r.err) {
					return
				}
			}
		}
	}
}

type result struct {
	Member
	err error
}

// nextBatch takes members from the start of entries for one goroutine: one, or several small ones.
func nextBatch(entries []zipfile.Entry) (batch []zipfile.Entry, bytes int64) {
	n := 0
	for n < len(entries) && n < batchMembers {
		size := max(entries[n].Size, entries[n].CompressedSize)
		if n > 0 && bytes+size > batchBytes {
			break
		}
		bytes += size
		n++
	}
	return entries[:n], bytes
}

// readBatch reads members with a window of its own.
func (z *Reader) readBatch(ctx context.Context, entries []zipfile.Entry) []result {
	w := window{r: z.r, size: z.size, offset: entries[0].HeaderOffset}
	if z.dir.TailOffset == 0 { // the archive is in memory already
		w.b, w.offset = z.dir.Tail, 0
	}
	results := make([]result, len(entries))
	for i := range entries {
		e, r := &entries[i], &results[i]
		r.Name = strings.TrimSuffix(e.Name, suffix)
		var data []byte
		if data, r.err = z.bytes(ctx, e, &w); r.err != nil {
			continue
		}
		if bytes.HasPrefix(data, []byte(format.Magic)) {
			r.Array, r.err = z.arrayOf(e, data)
		} else {
			r.Bytes = data
		}
	}
	return results
}
