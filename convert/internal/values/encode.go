package values

import (
	"fmt"
	"iter"
	"math/big"
	"reflect"
	"strconv"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/output"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
	"github.com/npygo/npy/internal/escape"
	"github.com/npygo/npy/internal/jsontext"
	"github.com/npygo/npy/internal/pylit"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

// Cell appends an object as the cell of a table: plain values as their text, containers as JSON.
func (w *Objects) Cell(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return dst, nil
	case float64:
		return pylit.AppendFloat(dst, v), nil
	}
	return w.count(dst, v, func(dst []byte, v any) ([]byte, error) {
		if s, ok := v.(*objects.Scalar); ok {
			if format, err := w.Texts.Formatter(s.DType()); err == nil {
				return format(dst, s.Scalar().Item())
			}
		}
		text, ok, err := w.text(dst, v)
		if ok {
			return text, err
		}
		return w.value(dst, v)
	})
}

// json appends an object as JSON.
func (w *Objects) json(dst []byte, v any) ([]byte, error) { return w.count(dst, v, w.value) }

// value appends any object as JSON.
func (w *Objects) value(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case *big.Int:
		return v.Append(dst, 10), nil
	case float64:
		return jsontext.CloseNumber(pylit.AppendFloat(dst, v), len(dst)), nil
	case *objects.Scalar:
		if !v.DType().HasObject() {
			return w.array(dst, v.Scalar())
		}
	}
	start := len(dst)
	if text, ok, err := w.text(append(dst, '"'), v); err != nil {
		return dst, err
	} else if ok {
		return jsontext.CloseString(text, start), nil
	}
	if n, ok := goNumber(v); ok {
		return w.value(dst, n)
	}
	return w.container(dst, v)
}

// text appends the text of an object that is neither a number nor a container. It reports false for numbers and
// containers.
func (w *Objects) text(dst []byte, v any) (text []byte, ok bool, err error) {
	switch v := v.(type) {
	case string:
		dst, err = escape.AppendStr(dst, v)
	case []byte:
		dst = escape.AppendBytes(dst, v)
	case *pickle.ByteArray:
		dst = escape.AppendBytes(dst, v.Bytes)
	case complex128:
		dst = appendComplex(dst, v)
	case *pickle.Decimal:
		dst, err = escape.AppendStr(dst, v.Text)
	case *pickle.Fraction:
		dst = v.Den.Append(append(v.Num.Append(dst, 10), '/'), 10)
	case *pickle.UUID:
		b := v.Bytes
		dst = fmt.Appendf(dst, "%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	case *pickle.Global:
		dst, err = escape.AppendStr(dst, v.Module+"."+v.Name)
	case *pickle.Date:
		dst = appendDate(dst, v.Year, v.Month, v.Day)
	case *pickle.Time:
		dst, err = appendZone(appendClock(dst, v.Hour, v.Minute, v.Second, v.Microsecond), v.TZ)
	case *pickle.Datetime:
		dst = append(appendDate(dst, v.Year, v.Month, v.Day), 'T')
		dst, err = appendZone(appendClock(dst, v.Hour, v.Minute, v.Second, v.Microsecond), v.TZ)
	case *pickle.Timedelta:
		dst = appendDuration(dst, v)
	case *pickle.TimeZone, *pickle.Slice, *pickle.Range, pickle.Singleton:
		dst, err = escape.AppendStr(dst, shortRepr(v))
	case *objects.DType:
		dst, err = escape.AppendStr(dst, string(v.AppendRepr(nil, sharedMin)))
	default:
		return dst, false, nil
	}
	return dst, true, err
}

// goNumber converts a number of another Go type to one of the types that package pickle returns.
func goNumber(v any) (any, bool) {
	switch r := reflect.ValueOf(v); {
	case r.Type().PkgPath() != "": // a named type may have a meaning of its own
		return nil, false
	case r.CanInt():
		return r.Int(), true
	case r.CanUint():
		return new(big.Int).SetUint64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return nil, false
}

// container appends a list, a dict or another object that contains objects. If it contains itself, it appends the number
// of containers outwards.
func (w *Objects) container(dst []byte, v any) ([]byte, error) {
	if reflect.TypeOf(v).Kind() != reflect.Pointer {
		return dst, fmt.Errorf("a Go value of type %T has no text", v)
	}
	first, err := w.enter(v)
	if err != nil {
		return dst, err
	}
	if !first {
		return append(strconv.AppendInt(append(dst, `{"cycle":`...), int64(w.depth-w.inside[v]+1), 10), '}'), nil
	}
	defer w.leave(v)
	switch v := v.(type) {
	case *pickle.List:
		return w.items(dst, v.Items)
	case *pickle.Tuple:
		return w.items(dst, v.Items)
	case *pickle.Set:
		return w.list(dst, v.All())
	case *pickle.FrozenSet:
		return w.list(dst, v.All())
	case *pickle.Dict:
		return w.dict(dst, v)
	case *pickle.OrderedDict:
		return w.dict(dst, &v.Dict)
	case *pickle.DefaultDict:
		return w.dict(dst, &v.Dict)
	case *pickle.Counter:
		return w.dict(dst, &v.Dict)
	case *pickle.Object:
		return w.object(dst, v)
	case *npy.Array:
		return w.array(dst, v)
	case *objects.Scalar:
		return w.array(dst, v.Scalar())
	case *objects.MaskedArray:
		return w.masked(dst, v)
	}
	return dst, fmt.Errorf("a Go value of type %T has no text", v)
}

func (w *Objects) items(dst []byte, items []any) ([]byte, error) {
	return w.list(dst, func(yield func(any) bool) {
		for _, v := range items {
			if !yield(v) {
				return
			}
		}
	})
}

func (w *Objects) list(dst []byte, items iter.Seq[any]) ([]byte, error) {
	open := byte('[')
	for v := range items {
		var err error
		if dst, err = w.json(append(dst, open), v); err != nil {
			return dst, err
		}
		open = ','
	}
	if open == '[' {
		dst = append(dst, '[')
	}
	return append(dst, ']'), nil
}

// dict appends an object if all keys are strings, else a list of pairs, so that 1 and "1" stay distinct keys.
func (w *Objects) dict(dst []byte, d *pickle.Dict) ([]byte, error) {
	if !hasNames(d) {
		return w.pairs(dst, d.All())
	}
	open := byte('{')
	for key, v := range d.All() {
		var err error
		if dst, err = w.member(append(dst, open), key.(string), v); err != nil {
			return dst, err
		}
		open = ','
	}
	if open == '{' {
		dst = append(dst, '{')
	}
	return append(dst, '}'), nil
}

// hasNames reports whether all keys are strings.
func hasNames(d *pickle.Dict) bool {
	for key := range d.All() {
		if _, ok := key.(string); !ok {
			return false
		}
	}
	return true
}

// member appends a name and its value.
func (w *Objects) member(dst []byte, name string, v any) ([]byte, error) {
	dst, err := w.json(dst, name)
	if err != nil {
		return dst, err
	}
	return w.json(append(dst, ':'), v)
}

func (w *Objects) pairs(dst []byte, pairs iter.Seq2[any, any]) ([]byte, error) {
	return w.list(dst, func(yield func(any) bool) {
		for key, v := range pairs {
			if !yield(&pickle.Tuple{Items: []any{key, v}}) {
				return
			}
		}
	})
}

// object appends an object that Python would make by a call, as a JSON object of its non-empty parts.
func (w *Objects) object(dst []byte, o *pickle.Object) ([]byte, error) {
	dst, err := w.member(append(dst, '{'), "class", o.Class)
	add := func(there bool, name string, v any) {
		if there && err == nil {
			dst, err = w.member(append(dst, ','), name, v)
		}
	}
	add(o.Args != nil && len(o.Args.Items) > 0, "args", o.Args)
	add(o.Kwargs != nil && o.Kwargs.Len() > 0, "kwargs", o.Kwargs)
	add(len(o.Items) > 0, "items", &pickle.Tuple{Items: o.Items})
	if len(o.Pairs) > 0 && err == nil {
		dst, err = w.pairs(append(dst, `,"pairs":`...), func(yield func(key, v any) bool) {
			for _, p := range o.Pairs {
				if !yield(p.Key, p.Value) {
					return
				}
			}
		})
	}
	add(o.HasState, "state", o.State)
	return append(dst, '}'), err
}

// array appends an array as nested lists on one line.
func (w *Objects) array(dst []byte, a *npy.Array) ([]byte, error) {
	if err := w.countEmpty(a); err != nil {
		return dst, err
	}
	out := &output.Output{Buf: dst}
	c, err := output.ContentOf(w.ctx, a, options.Write{})
	if err == nil {
		err = writeLists(out, c, w, 0, 0, false)
	}
	if inner, ok := err.(*output.ElementError); ok {
		err = inner.Err // the element that contains this array will be named
	}
	return out.Buf, err
}

// masked appends a masked array with all its parts.
func (w *Objects) masked(dst []byte, m *objects.MaskedArray) ([]byte, error) {
	dst, err := w.member(append(dst, '{'), "data", m.Data)
	if err == nil {
		dst, err = w.member(append(dst, ','), "mask", m.Mask)
	}
	if err == nil && m.FillValue != nil {
		dst, err = w.member(append(dst, ','), "fill_value", m.FillValue)
	}
	return append(dst, '}'), err
}

// appendComplex appends a complex number as an element of an array is written.
func appendComplex(dst []byte, c complex128) []byte {
	a, _ := npy.FromSlice([]complex128{c}, 1)
	format, _ := elem.Texts{}.Formatter(dtype.Complex128)
	dst, _ = format(dst, a.Item(0)) // formatting a number cannot fail
	return dst
}
