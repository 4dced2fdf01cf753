package npz

import (
	"bytes"
	"iter"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bulk"
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
		done := make(chan struct{})
		defer close(done)
		used := make(chan int64, len(z.dir.Entries))
		for b := range z.readAhead(done, used) {
			for _, r := range <-b.results {
				if !yield(r.Member, r.err) {
					return
				}
			}
			used <- b.bytes
		}
	}
}

// A batch is members that one goroutine reads.
type batch struct {
	entries []zipfile.Entry
	bytes   int64
	results chan []result
}

type result struct {
	Member
	err error
}

// readAhead starts goroutines that read batches, and returns the batches in order. What the caller has used counts
// against what may be read ahead.
func (z *Reader) readAhead(done <-chan struct{}, used <-chan int64) <-chan batch {
	batches := make(chan batch, bulk.Workers())
	go func() {
		defer close(batches)
		ahead := int64(0)
		for rest := z.dir.Entries; len(rest) > 0; {
			b := nextBatch(rest)
			rest = rest[len(b.entries):]
			for ahead > 0 && ahead+b.bytes > aheadBytes {
				select {
				case n := <-used:
					ahead -= n
				case <-done:
					return
				}
			}
			ahead += b.bytes
			go func() { b.results <- z.readBatch(b.entries) }()
			select {
			case batches <- b:
			case <-done:
				return
			}
		}
	}()
	return batches
}

// nextBatch takes members from the start of entries: one, or several small ones.
func nextBatch(entries []zipfile.Entry) batch {
	b := batch{results: make(chan []result, 1)}
	n := 0
	for n < len(entries) && n < batchMembers {
		size := max(entries[n].Size, entries[n].CompressedSize)
		if n > 0 && b.bytes+size > batchBytes {
			break
		}
		b.bytes += size
		n++
	}
	b.entries = entries[:n]
	return b
}

// readBatch reads members through a window of their own.
func (z *Reader) readBatch(entries []zipfile.Entry) []result {
	w := window{r: z.r, size: z.size, offset: entries[0].HeaderOffset}
	if z.dir.TailOffset == 0 { // the archive is in memory already
		w.b, w.offset = z.dir.Tail, 0
	}
	results := make([]result, len(entries))
	for i := range entries {
		e, r := &entries[i], &results[i]
		r.Name = strings.TrimSuffix(e.Name, suffix)
		var data []byte
		if data, r.err = z.bytes(e, &w); r.err != nil {
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
