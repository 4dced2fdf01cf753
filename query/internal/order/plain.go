package order

import (
	"context"
	"math"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/query/internal/sortkey"
)

// Arrays of one number per row need no row numbers: their keys are sorted alone and turned back into numbers.

// A plain turns keys back into items, for rows of one item of up to eight bytes.
type plain struct {
	size     int // of an item
	load     sortkey.Load
	big      bool
	native64 bool   // float64 in native byte order
	nan      uint64 // the key of NaN and of 0 and -0, which have several encodings; both are 0 if there are none
	zero     uint64
	store    func(item []byte, key uint64)
}

// plainOf returns the plain of a plan. It returns false if a row is more than one item, or an item cannot be made from
// its key.
func plainOf(p *sortkey.Plan) (*plain, bool) {
	at, last, load, ok := p.Item()
	t := at.DType
	if !ok || t.IsStruct() || t.IsSubarray() || t.ItemSize() != p.Row || p.Row == 0 || elem.IsNamed(t) {
		return nil, false
	}
	size := p.Row
	big := t.ByteOrder() == dtype.BigEndian
	mask := uint64(math.MaxUint64) >> (64 - 8*size)
	out := &plain{size: size, load: load, big: big}
	switch elem.KindOf(t) {
	case dtype.KindBool, dtype.KindUint, dtype.KindInt:
		flip := load(make([]byte, size)) // the key is the number with some bits flipped
		out.store = func(item []byte, key uint64) { bulk.PutUint(item, key^flip, big) }
	case dtype.KindDatetime, dtype.KindTimedelta:
		out.store = func(item []byte, key uint64) { bulk.PutUint(item, (key+1)^(1<<63), big) }
		if last {
			out.store = func(item []byte, key uint64) { bulk.PutUint(item, key^math.MaxInt64, big) }
		}
	case dtype.KindFloat:
		sign := mask ^ mask>>1
		out.nan, out.zero, out.native64 = mask, load(make([]byte, size)), size == 8 && t.IsNative()
		flip := uint64(0)
		if out.zero != sign {
			flip = mask
		}
		out.store = func(item []byte, key uint64) {
			if key ^= flip; key&sign == 0 {
				key ^= mask
			} else {
				key ^= sign
			}
			bulk.PutUint(item, key, big)
		}
	default:
		return nil, false
	}
	return out, true
}

// sort sorts the items of src into dst, by their keys alone. It reports false and leaves both unchanged if different
// items have equal keys: 0 and -0, or NaNs of different bits. dst may be src.
func (p *plain) sort(ctx context.Context, t *keyTable, dst, src []byte) (done bool, err error) {
	n, size := len(t.keys), p.size
	units := (n + fillUnit - 1) / fillUnit
	odd := make([]oddItems, par.Workers())
	err = par.Each(ctx, units, par.Workers(), func(w, u int) error {
		low, high := u*fillUnit, min((u+1)*fillUnit, n)
		p.keys(t.keys[low:high], src[low*size:high*size], &odd[w])
		return nil
	})
	if err != nil {
		return false, err
	}
	var all oddItems
	for i := range odd {
		all.merge(&odd[i])
	}
	if all.nan.mixed || all.zero.mixed {
		return false, nil
	}
	alone := &keyTable{keys: t.keys, tempKeys: t.tempKeys}
	if err := alone.sort(ctx, 0, n); err != nil {
		return false, err
	}
	return true, par.Each(ctx, units, par.Workers(), func(_, u int) error {
		low, high := u*fillUnit, min((u+1)*fillUnit, n)
		p.items(dst[low*size:high*size], t.keys[low:high], &all)
		return nil
	})
}

// keys makes the keys of items.
func (p *plain) keys(dst []uint64, items []byte, odd *oddItems) {
	if p.native64 {
		if bits, ok := bulk.View[uint64](items); ok {
			p.float64Keys(dst, bits, odd)
			return
		}
	}
	size := len(items) / len(dst)
	for i := range dst {
		item := items[i*size : (i+1)*size]
		key := p.load(item)
		dst[i] = key
		if p.nan != 0 && (key == p.nan || key == p.zero) {
			odd.add(sortkey.UintOf(size, p.big)(item), key == p.nan)
		}
	}
}

// float64Keys is keys for float64 in native byte order.
func (p *plain) float64Keys(dst, bits []uint64, odd *oddItems) {
	const sign, inf = 1 << 63, 0x7ff0_0000_0000_0000
	flip := p.zero ^ sign // all ones if the order is descending
	dst = dst[:len(bits)]
	for i, x := range bits {
		switch abs := x &^ sign; {
		case abs > inf:
			dst[i] = math.MaxUint64
			odd.add(x, true)
		case abs == 0:
			dst[i] = p.zero
			odd.add(x, false)
		default:
			dst[i] = x ^ (uint64(int64(x)>>63) | sign) ^ flip
		}
	}
}

// items turns keys back into items.
func (p *plain) items(items []byte, keys []uint64, odd *oddItems) {
	size := len(items) / len(keys)
	if p.native64 {
		if bits, ok := bulk.View[uint64](items); ok {
			const sign = 1 << 63
			flip := p.zero ^ sign
			for i, key := range keys {
				if key == p.nan || key == p.zero {
					bits[i] = odd.bits(key == p.nan)
					continue
				}
				key ^= flip
				bits[i] = key ^ (^uint64(int64(key)>>63) | sign)
			}
			return
		}
	}
	for i, key := range keys {
		item := items[i*size : (i+1)*size]
		if p.nan != 0 && (key == p.nan || key == p.zero) {
			bulk.PutUint(item, odd.bits(key == p.nan), p.big)
		} else {
			p.store(item, key)
		}
	}
}

// oddItems has the bits of the NaNs and of the zeros of an array.
type oddItems struct{ nan, zero oddItem }

// An oddItem has the bits of the items with one key.
type oddItem struct {
	bits  uint64
	any   bool
	mixed bool // there are others
}

func (o *oddItems) add(bits uint64, nan bool) {
	if nan {
		o.nan.add(bits)
	} else {
		o.zero.add(bits)
	}
}

func (o *oddItems) bits(nan bool) uint64 {
	if nan {
		return o.nan.bits
	}
	return o.zero.bits
}

func (o *oddItem) add(bits uint64) {
	o.mixed = o.mixed || o.any && bits != o.bits
	o.bits, o.any = bits, true
}

func (o *oddItems) merge(p *oddItems) {
	o.nan.merge(&p.nan)
	o.zero.merge(&p.zero)
}

func (o *oddItem) merge(p *oddItem) {
	if p.any {
		o.add(p.bits)
		o.mixed = o.mixed || p.mixed
	}
}
