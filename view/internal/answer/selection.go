package answer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
)

// A selection is the part of an array that a question is about: the axes y, x and c of it, as far as the question has them.
// The other axes are at a position, or projected.
type selection struct {
	src     npy.Source // with the axes y, x, c that there are, in the order of the array
	y, x, c int        // these axes of src; -1 for none
	key     string     // equal for equal elements
	states  []string   // of the files
	f, e    int
	open    *File
	field   string
	raw     bool       // the elements as stored are asked for
	packing *packing   // of the array; nil if its elements are not packed
	stored  npy.Source // the array as it is in the file, if it is packed
	at      []string   // of all axes
	done    func()
	uses    []*uses // of the files
}

// target opens the array of a question, without positions of axes.
func (a *Answers) target(ctx context.Context, q url.Values, fresh bool) (*selection, error) {
	f, i, err := a.file(q)
	if err != nil {
		return nil, err
	}
	open, state, in, err := f.enter(ctx, fresh)
	if err != nil {
		return nil, err
	}
	done := in.done
	s := &selection{states: []string{state}, f: i, open: open, done: done, uses: []*uses{in}, y: -1, x: -1, c: -1, field: q.Get("field"), raw: q.Get("raw") == "1"}
	if s.e, err = number(q, "e", 0, len(open.Entries)-1, 0); err != nil || len(open.Entries) == 0 {
		done()
		return nil, &Error{404, errors.New("there is no such array")}
	}
	entry := open.Entries[s.e]
	if entry.Err != nil {
		done()
		return nil, &Error{400, entry.Err}
	}
	if entry.Group {
		done()
		return nil, wrong("%s is a group, not an array", cut(entry.Path, 100))
	}
	if s.src, err = open.Source(s.e); err == nil && s.field != "" {
		s.src, err = fieldOf(s.src, s.field)
	}
	if err != nil {
		done()
		return nil, err
	}
	s.key = fmt.Sprintf("%s %d %d %q", state, i, s.e, s.field)
	s.unpack()
	return s, nil
}

// beside returns the parameters of another array that goes with the selection.
func (s *selection) beside(f, e, field string) url.Values {
	q := url.Values{"f": {f}, "e": {e}, "field": {field}}
	if s.raw {
		q.Set("raw", "1")
	}
	return q
}

// hold keeps the files open until the function that it returns is called.
func (s *selection) hold() (release func()) {
	ends := make([]func(), len(s.uses))
	for i, u := range s.uses {
		ends[i] = u.again()
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}
}

// fieldOf selects a field, with a dot before each nested one.
func fieldOf(src npy.Source, path string) (npy.Source, error) {
	for rest := path; rest != ""; {
		t := src.DType()
		if !t.IsStruct() {
			return nil, wrong("there is no field %q", cut(path, 100))
		}
		name, after := rest, ""
		if _, ok := t.FieldByName(name); !ok {
			name, after, _ = strings.Cut(rest, ".")
		}
		if _, ok := t.FieldByName(name); !ok {
			return nil, wrong("there is no field %q", cut(path, 100))
		}
		var err error
		if src, err = src.Select(npy.Named(name)); err != nil {
			return nil, err
		}
		rest = after
	}
	return src, nil
}

// selection opens the selection of a question. need has the axes that it must have, of "yxc", and may the axes that it
// can have, with ":" for any number of whole axes besides. Call done afterwards.
func (a *Answers) selection(ctx context.Context, q url.Values, need, may string) (s *selection, err error) {
	s, err = a.target(ctx, q, false)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.done()
			s = nil
		}
	}()
	if minus := q.Get("minus"); minus != "" {
		if err = a.subtract(ctx, s, minus); err != nil {
			return s, err
		}
	}
	if part := q.Get("part"); part != "" {
		if s.src, err = partOf(s.src, part); err != nil {
			return s, err
		}
		s.key += " " + part
	}
	return s, a.place(ctx, s, q.Get("at"), need, may)
}

// place applies the positions of axes.
func (a *Answers) place(ctx context.Context, s *selection, at, need, may string) error {
	shape := s.src.Shape()
	if at != "" {
		s.at = strings.Split(at, ",")
	}
	if len(s.at) != len(shape) {
		return wrong("at has %d positions, and the array %d axes", len(s.at), len(shape))
	}
	index := make([]npy.Index, len(shape))
	var left []int    // axes that stay
	var hows []string // the projections of some of them, the one of the last axis last
	seen := ""
	for i, text := range s.at {
		index[i] = npy.All()
		switch text {
		case "y", "x", "c", ":":
			if text != ":" && strings.Contains(seen, text) || !strings.Contains(need+may, text) {
				return wrong("at %q cannot have %s here", cut(at, 100), text)
			}
			seen += text
		case "mean", "max", "min", "sum":
			hows = append(slices.DeleteFunc(hows, func(how string) bool { return how == text }), text)
		default:
			k, err := strconv.Atoi(text)
			if err != nil || k < 0 || k >= shape[i] {
				return wrong("position %q of axis %d has to be a number from 0 to %d", cut(text, 40), i, shape[i]-1)
			}
			index[i] = npy.At(k)
			continue
		}
		left = append(left, i)
	}
	for _, c := range need {
		if !strings.ContainsRune(seen, c) {
			return wrong("at %q has no axis %c", cut(at, 100), c)
		}
	}
	if len(hows) > 1 && slices.Contains(hows, "mean") {
		return wrong("the mean along one axis and the %s along another cannot be shown: choose one for both", hows[(slices.Index(hows, "mean")+1)%len(hows)])
	}
	s.key += " " + at
	src, err := s.src.Select(index...)
	if err != nil {
		return err
	}
	for len(hows) > 0 {
		how := hows[len(hows)-1]
		var axes []int // all that are projected alike, in one pass
		for i, axis := range left {
			if s.at[axis] == how {
				axes = append(axes, i)
			}
		}
		if src, err = a.project(ctx, s, src, axes, how, s.key+" projected "+how); err != nil {
			return err
		}
		left = without(left, axes)
		hows = hows[:len(hows)-1]
	}
	for i, axis := range left {
		switch s.at[axis] {
		case "y":
			s.y = i
		case "x":
			s.x = i
		case "c":
			s.c = i
		}
	}
	s.src = src
	return nil
}

// projected reports whether elements of the selection are the mean, the largest or the smallest along an axis.
func (s *selection) projected() bool {
	return slices.ContainsFunc(s.at, func(word string) bool { return word == "mean" || word == "max" || word == "min" })
}

// projectedMax is the most elements that a projection may have: it is in memory.
const projectedMax = 2 << 20

// project returns src without some axes: the mean, the largest, the smallest or the sum along them.
func (a *Answers) project(ctx context.Context, s *selection, src npy.Source, axes []int, how, key string) (npy.Source, error) {
	n := 1
	for _, d := range without(src.Shape(), axes) {
		if d > 0 {
			if n > projectedMax/d {
				return nil, wrong("a projection has at most %d elements: take a position along another axis", projectedMax)
			}
			n *= d
		}
	}
	v, err := a.kept.get(ctx, key, s.hold, func(ctx context.Context) (any, int64, error) {
		p, err := projected(ctx, working(ctx, src, 1), axes, how)
		return p, int64(8 * n), err
	})
	if err != nil {
		return nil, err
	}
	return v.(npy.Source), nil
}

// without returns xs without the elements at some places.
func without(xs, places []int) (out []int) {
	for i, x := range xs {
		if !slices.Contains(places, i) {
			out = append(out, x)
		}
	}
	return out
}

// partOf returns a part of complex numbers.
func partOf(src npy.Source, part string) (npy.Source, error) {
	parts := map[string]func(complex128) float64{
		"re":    func(z complex128) float64 { return real(z) },
		"im":    func(z complex128) float64 { return imag(z) },
		"abs":   cmplx.Abs,
		"phase": cmplx.Phase,
	}
	f, ok := parts[part]
	if !ok {
		return nil, wrong("part is %q, and has to be re, im, abs or phase", cut(part, 40))
	}
	t := src.DType()
	if t.Kind() != dtype.KindComplex {
		return nil, wrong("elements of dtype %s have no parts", t.Name())
	}
	wide, err := npy.Cast(src, dtype.Complex128, npy.UnsafeCasting)
	if err != nil {
		return nil, err
	}
	decode := codec.Complex[complex128](dtype.Complex128)
	return npy.Computed(dtype.Float64, func(_ context.Context, dst []byte, src [][]byte, n int) error {
		in, out := make([]complex128, n), make([]float64, n)
		if err := decode(in, src[0]); err != nil {
			return err
		}
		for i, z := range in {
			out[i] = f(z)
		}
		bulk.Encode(dst, out, !dtype.Float64.IsNative())
		return nil
	}, wide)
}

// subtract makes the selection the difference to another array, as float64 or complex128, or in ticks for times.
func (a *Answers) subtract(ctx context.Context, s *selection, minus string) error {
	f, e, _ := strings.Cut(minus, ".")
	other, err := a.target(ctx, s.beside(f, e, s.field), false)
	if err != nil {
		return err
	}
	done := s.done
	s.done = func() {
		other.done()
		done()
	}
	s.states = append(s.states, other.states...)
	s.uses = append(s.uses, other.uses...)
	s.key += " minus " + other.key
	if fmt.Sprint(s.src.Shape()) != fmt.Sprint(other.src.Shape()) {
		return wrong("arrays of shapes %v and %v have no difference", s.src.Shape(), other.src.Shape())
	}
	x, y := s.src.DType(), other.src.DType()
	switch {
	case codec.RealsOf(x) != nil && codec.RealsOf(y) != nil:
		s.src, err = shifted(s.src, other.src, -1)
	case isNumber(x) && isNumber(y): // one of them is complex
		s.src, err = complexDifference(s.src, other.src)
	case isTime(x) && x.Equal(y):
		var from npy.Source
		if from, err = drawn(s.src); err == nil {
			var to npy.Source
			if to, err = drawn(other.src); err == nil {
				s.src, err = shifted(from, to, -1)
			}
		}
	default:
		err = wrong("elements of dtypes %s and %s have no difference that can be shown", x.Name(), y.Name())
	}
	return err
}

// complexDifference returns src minus by, as complex128.
func complexDifference(src, by npy.Source) (npy.Source, error) {
	left, err := npy.Cast(src, dtype.Complex128, npy.UnsafeCasting)
	if err != nil {
		return nil, err
	}
	right, err := npy.Cast(by, dtype.Complex128, npy.UnsafeCasting)
	if err != nil {
		return nil, err
	}
	decode := codec.Complex[complex128](dtype.Complex128)
	return npy.Computed(dtype.Complex128, func(_ context.Context, dst []byte, src [][]byte, n int) error {
		x, y := make([]complex128, n), make([]complex128, n)
		if err := errors.Join(decode(x, src[0]), decode(y, src[1])); err != nil {
			return err
		}
		for i := range x {
			x[i] -= y[i]
		}
		bulk.Encode(dst, x, !dtype.Complex128.IsNative())
		return nil
	}, left, right)
}

// span returns the range [name0, name1) of an axis of the selection, the whole axis if it is not given.
func (s *selection) span(q url.Values, name string, axis int) (low, high int, err error) {
	if axis < 0 {
		return 0, 1, nil
	}
	n := s.src.Shape()[axis]
	if low, err = number(q, name+"0", 0, n, 0); err != nil {
		return 0, 0, err
	}
	if high, err = number(q, name+"1", 0, math.MaxInt, n); err != nil {
		return 0, 0, err
	}
	if high = min(high, n); high < low {
		return 0, 0, wrong("%s1 is smaller than %s0", name, name)
	}
	return low, high, nil
}
