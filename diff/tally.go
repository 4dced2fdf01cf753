package diff

import (
	"encoding/hex"
	"math"
	"slices"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// An entry is a mismatch before its values are formatted.
type entry struct {
	at   int64 // the item number in C order
	abs  Distance
	rel  float64
	ulps int64
	a, b []byte // copies of the items; nil while the block is in memory
}

// A tally is the intermediate result for one pair of fields.
type tally struct {
	different, close, nans int64
	first                  []entry
	worst                  [3]*entry // by abs, rel and ulps
}

// worse reports, for each kind of worst mismatch, whether an entry qualifies, and whether it is worse than another.
var worse = [3]struct {
	counts func(e *entry) bool
	than   func(e, f *entry) bool
}{
	{func(e *entry) bool { return e.abs.IsValid() }, func(e, f *entry) bool { return f.abs.less(e.abs) }},
	{func(e *entry) bool { return e.rel == e.rel }, func(e, f *entry) bool { return e.rel > f.rel }},
	{func(e *entry) bool { return e.ulps >= 0 }, func(e, f *entry) bool { return e.ulps > f.ulps }},
}

// add counts a mismatch that follows all earlier ones in C order.
func (t *tally) add(e entry, most int) {
	t.different++
	if len(t.first) < most {
		t.first = append(t.first, e)
	}
	for i, w := range worse {
		switch {
		case !w.counts(&e):
		case t.worst[i] == nil:
			worst := e
			t.worst[i] = &worst
		case w.than(&e, t.worst[i]):
			*t.worst[i] = e
		}
	}
}

// merge adds the tally of the following block.
func (t *tally) merge(u *tally, most int) {
	t.different += u.different
	t.close += u.close
	t.nans += u.nans
	t.first = append(t.first, u.first[:min(len(u.first), most-len(t.first))]...)
	for i, e := range u.worst {
		if e != nil && (t.worst[i] == nil || worse[i].than(e, t.worst[i])) {
			t.worst[i] = e
		}
	}
}

// repeat turns the tally of some pairs into the tally of n copies of them. Only mismatches of the first copy are
// listed.
func (t *tally) repeat(n int64) {
	t.different *= n
	t.close *= n
	t.nans *= n
	t.first = nil
}

// pin copies the items of the mismatches before the block is discarded. base is the number of the first item in a and b.
func (t *tally) pin(a, b []byte, sizeA, sizeB int, base int64) {
	pin := func(e *entry) {
		i := int(e.at - base)
		e.a, e.b = slices.Clone(a[i*sizeA:(i+1)*sizeA]), slices.Clone(b[i*sizeB:(i+1)*sizeB])
	}
	for i := range t.first {
		pin(&t.first[i])
	}
	for _, e := range t.worst {
		if e != nil {
			pin(e)
		}
	}
}

// A judge classifies each pair of unequal items and tallies it.
type judge struct {
	tally
	Options
	base int64 // the number of item 0 of the kernel

	// The largest differences so far, or -1. Most mismatches are smaller in every respect and only counted.
	abs, rel float64
	ulps     int64
}

func newJudge(o Options) judge { return judge{Options: o, abs: -1, rel: -1, ulps: -1} }

// differ counts items without a measurable difference.
func (j *judge) differ(i int) {
	j.add(entry{at: j.base + int64(i), rel: math.NaN(), ulps: -1}, j.Max)
}

// nan counts items where at least one is NaN or NaT.
func (j *judge) nan(i int, a, b bool) {
	if a != b {
		j.nans++
		j.differ(i)
	} else if j.NaNsDiffer {
		j.differ(i)
	}
}

// infinite counts items where at least one is infinite.
func (j *judge) infinite(i int) {
	j.add(entry{at: j.base + int64(i), abs: floatDistance(math.Inf(1)), rel: math.Inf(1), ulps: -1}, j.Max)
}

// apart counts finite numbers. b is the absolute value of the second number, or NaN if the absolute value has no
// meaning. ulps is negative if steps are not counted.
func (j *judge) apart(i int, abs Distance, b float64, ulps int64) {
	scale := b
	if b != b {
		scale = 0
	}
	d := abs.Float64()
	if j.isClose(d, scale) || j.ULPs > 0 && ulps >= 0 && uint64(ulps) <= j.ULPs {
		j.close++
		return
	}
	rel := d / b
	const exact = 1 << 53 // above 2**53 different values may round to the same float64
	if d <= j.abs && !(rel > j.rel) && ulps <= j.ulps && len(j.first) >= j.Max && d < exact {
		j.different++
		return
	}
	j.abs, j.ulps = max(j.abs, d), max(j.ulps, ulps)
	if rel > j.rel {
		j.rel = rel
	}
	j.add(entry{at: j.base + int64(i), abs: abs, rel: rel, ulps: ulps}, j.Max)
}

// texts returns the function that formats items of t.
func texts(t dtype.Type) func(item []byte) string {
	format, err := elem.Texts{}.Formatter(t)
	return func(item []byte) string {
		if err == nil {
			if text, err := format(nil, item); err == nil {
				return string(text)
			}
		}
		return hexText(item) // not valid code points
	}
}

func hexText(item []byte) string { return hex.EncodeToString(item) }
