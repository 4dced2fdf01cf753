package objects_test

import (
	"encoding/hex"
	"fmt"
	"iter"
	"math/big"
	"sort"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npytest"
	"github.com/npygo/npy/objects"
	"github.com/npygo/npy/pickle"
)

// plain compares an object with the neutral form of testdata/gen.py.
func plain(got, want any) error {
	tag, v := "", any(nil)
	if m, ok := want.(map[string]any); ok {
		tag, _ = m["t"].(string)
		v = m["v"]
	}
	bad := fmt.Errorf("value is %v, NumPy has %v", got, want)
	switch got := got.(type) {
	case *npy.Array:
		nested, err := npytest.Nested(want)
		if err != nil {
			return err
		}
		return nested.CheckObjects(got, plain)
	case *objects.Scalar:
		value, err := got.Value()
		if err != nil {
			return err
		}
		return plain(value, want)
	case *pickle.List:
		return items("list", got.Items, tag, v)
	case *pickle.Tuple:
		return items("tuple", got.Items, tag, v)
	case *pickle.Set:
		return set("set", got, tag, v)
	case *pickle.FrozenSet:
		return set("frozenset", got, tag, v)
	case *pickle.Dict:
		return pairs("dict", got, tag, v)
	case *pickle.OrderedDict:
		return pairs("OrderedDict", &got.Dict, tag, v)
	case *pickle.Range:
		return items("range", []any{got.Start, got.Stop, got.Step}, tag, v)
	case *pickle.Slice:
		return items("slice", []any{got.Start, got.Stop, got.Step}, tag, v)
	case *pickle.Timedelta:
		return items("timedelta", []any{int64(got.Days), int64(got.Seconds), int64(got.Microseconds)}, tag, v)
	}
	if text, ok := textOf(got); ok {
		if text != fmt.Sprint(tag, " ", v) {
			return bad
		}
		return nil
	}
	if !npytest.Same(got, want) {
		return bad
	}
	return nil
}

// textOf returns the tag and value that the neutral form writes as text.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case *big.Int:
		return "int " + v.String(), true
	case *pickle.ByteArray:
		return "bytearray " + hex.EncodeToString(v.Bytes), true
	case *pickle.Date:
		return fmt.Sprintf("date %04d-%02d-%02d", v.Year, v.Month, v.Day), true
	case *pickle.Datetime:
		at := time.Date(v.Year, time.Month(v.Month), v.Day, v.Hour, v.Minute, v.Second, 1000*v.Microsecond, time.UTC)
		return "datetime " + at.Format("2006-01-02T15:04:05.999999"), true
	case *pickle.Time:
		return fmt.Sprintf("time %02d:%02d:%02d", v.Hour, v.Minute, v.Second), true
	case *pickle.Decimal:
		return "Decimal " + v.Text, true
	case *pickle.Object:
		g := v.Class.(*pickle.Global)
		if g.Name == "_reconstructor" || g.Name == "__newobj__" {
			g = v.Args.Items[0].(*pickle.Global)
		}
		return "object " + g.Module + "." + g.Name, true
	}
	return "", false
}

func items(tag string, got []any, wantTag string, want any) error {
	list, _ := want.([]any)
	if tag != wantTag || len(got) != len(list) {
		return fmt.Errorf("%s of %d, NumPy has a %s of %d", tag, len(got), wantTag, len(list))
	}
	for i := range got {
		if err := plain(got[i], list[i]); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

// set compares the elements, which gen.py has sorted.
func set(tag string, got interface{ All() iter.Seq[any] }, wantTag string, want any) error {
	var list []any
	for v := range got.All() {
		list = append(list, v)
	}
	sort.Slice(list, func(i, j int) bool { return fmt.Sprint(list[i]) < fmt.Sprint(list[j]) })
	return items(tag, list, wantTag, want)
}

func pairs(tag string, got *pickle.Dict, wantTag string, want any) error {
	list, _ := want.([]any)
	if tag != wantTag || got.Len() != len(list) {
		return fmt.Errorf("%s of %d, NumPy has a %s of %d", tag, got.Len(), wantTag, len(list))
	}
	i := 0
	for k, v := range got.All() {
		pair := list[i].([]any)
		i++
		if err := plain(k, pair[0]); err != nil {
			return fmt.Errorf("key: %w", err)
		}
		if err := plain(v, pair[1]); err != nil {
			return fmt.Errorf("value of %v: %w", k, err)
		}
	}
	return nil
}
