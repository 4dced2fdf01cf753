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

// A Member is what an archive has under a name.
type Member struct {
	Name  string     // as in [Reader.Names]
	Array *npy.Array // nil if the member is no array
	Bytes []byte     // what it holds instead; nil if it is an array
}

const (
	batchBytes   = 256 << 10 // of small members that are read in one go
	batchMembers = 256
	aheadBytes   = 256 << 20 // how much is read before it is asked for; more only for a single member
)

// All reads all members in the order of the archive, ahead of the loop and on all processors. Where a member cannot be
// read it comes with its name and the error, and the loop goes on with the next. Of members with one name each comes; a
// map that is filled in this order has the last, as NumPy.
//
// The loop may end early. At most 256 MB are read that it has not come to, but for a single member.
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

// nextBatch takes members from the start of entries, which one goroutine reads: one, or several small ones.
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

// readBatch reads members through a window of their own.
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
