package pickle

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/npygo/npy/internal/oracle"
	"github.com/npygo/npy/pickle/internal/literal"
)

// TestKeys compares each pair of a list of keys as Python does.
func TestKeys(t *testing.T) {
	const script = `
import sys, json, pickle, datetime, decimal, fractions, uuid, collections
tz = datetime.timezone(datetime.timedelta(hours=2))
minus = datetime.timezone(datetime.timedelta(hours=-2), 'named')
keys = [None, False, True, 0, 1, 1.0, -0.0, 0.5, 2, 1+0j, 0.5+0j, 1j, 2**53, 2.0**53, 2**53+1, 2**63, 2.0**63, 2**63+1, -2**63, -2.0**63, 10**30, 1e30,
  float('inf'), float('-inf'), fractions.Fraction(1), fractions.Fraction(1, 2), fractions.Fraction(1, 3), fractions.Fraction(2**70, 1), 2**70, 2.0**70,
  '', 'a', '1', b'', b'a', b'1', (), (1,), (1.0,), (True, ()), (1, ()), ((1,), ()), (1, 2), (2, 1), (1, (2,)), ('a',), (b'a',),
  frozenset(), frozenset([1, 2]), frozenset([2, 1.0]), frozenset([(1, 2)]), frozenset(['a', b'a', None]), (frozenset([3, 4, 5]),), (frozenset([5, 4, 3]),),
  frozenset([frozenset()]), frozenset([()]), frozenset([None, 1]), frozenset([1, None]), frozenset([range(0), range(1), tz, datetime.time(1)]), frozenset([datetime.time(1), tz, range(1), range(0)]), int, bool, collections.OrderedDict, Ellipsis, NotImplemented,
  range(0), range(5, 5), range(1, 0), range(1), range(0, 1, 5), range(0, 3, 2), range(0, 4, 2), range(0, 5, 2), range(3), range(3, 0, -1), range(2**70), range(0, 2**70, 1), range(-3, -9, -7),
  datetime.date(2020, 1, 1), datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 1, fold=1),
  datetime.datetime(2020, 1, 1, 12, tzinfo=datetime.timezone.utc), datetime.datetime(2020, 1, 1, 14, tzinfo=tz), datetime.datetime(2020, 1, 1, 12), datetime.datetime(2020, 1, 1, 10, tzinfo=minus),
  datetime.datetime(2020, 3, 1, 1, tzinfo=tz), datetime.datetime(2020, 2, 29, 21, tzinfo=minus), datetime.datetime(1900, 3, 1, 1, tzinfo=tz), datetime.datetime(1900, 2, 28, 21, tzinfo=minus),
  datetime.time(12), datetime.time(12, fold=1), datetime.time(12, tzinfo=datetime.timezone.utc), datetime.time(14, tzinfo=tz), datetime.time(1, tzinfo=tz), datetime.time(23, tzinfo=datetime.timezone.utc),
  datetime.timedelta(1), datetime.timedelta(0, 86400), datetime.timedelta(-1, 5), tz, minus, datetime.timezone(datetime.timedelta(hours=2), 'other'), datetime.timezone.utc,
  decimal.Decimal('1.50'), decimal.Decimal('2.50'), uuid.UUID(int=1), uuid.UUID(int=2)]
print(json.dumps([[int(a == b) for a in keys] for b in keys]))
print(json.dumps([repr(k) for k in keys]))
print(json.dumps(pickle.dumps(keys, 4).decode('latin1')))`
	dec := json.NewDecoder(strings.NewReader(string(oracle.Python(t, script, nil))))
	var equal [][]int
	var names []string
	var data string
	if err := errors.Join(dec.Decode(&equal), dec.Decode(&names), dec.Decode(&data)); err != nil {
		t.Fatal(err)
	}
	raw, _ := literal.Latin1Bytes(data)
	v, err := Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range v.(*List).Items {
		for j, b := range v.(*List).Items {
			var d Dict
			if err := d.Set(a, nil); err != nil {
				t.Fatalf("%s: %v", names[i], err)
			}
			if _, got := d.Get(b); got != (equal[i][j] == 1) {
				t.Errorf("a dict with key %s has %s: %t, want %t", names[i], names[j], got, equal[i][j] == 1)
			}
		}
	}
}

// TestKeysOtherwise covers the differences to Python, and keys that pickles do not contain.
func TestKeysOtherwise(t *testing.T) {
	nan, object := math.NaN(), &Object{}
	type odd []int // Go cannot compare it
	for _, tt := range []struct {
		name, why string
		a, b      any
		equal     bool
	}{
		{"NaN", "Python looks at identity first", nan, nan, false},
		{"NaN in a tuple", "the same", &Tuple{Items: []any{nan}}, &Tuple{Items: []any{nan}}, false},
		{"Decimal NaN", "NaN equals nothing", &Decimal{Text: "NaN"}, &Decimal{Text: "NaN"}, false},
		{"Decimals", "compared by text", &Decimal{Text: "1.0"}, &Decimal{Text: "1"}, false},
		{"Decimal and int", "compared by text", &Decimal{Text: "1"}, int64(1), false},
		{"the same Decimal", "compared by text", &Decimal{Text: "1.0"}, &Decimal{Text: "1.0"}, true},
		{"an object", "compared by identity", object, object, true},
		{"two objects", "compared by identity", object, &Object{}, false},
		{"big.Int of a small number", "the value counts", big.NewInt(5), int64(5), true},
		{"Fraction not in lowest terms", "the value counts", &Fraction{Num: big.NewInt(2), Den: big.NewInt(6)}, &Fraction{Num: big.NewInt(1), Den: big.NewInt(3)}, true},
		{"Fraction without parts", "made in Go, compared by identity", &Fraction{}, &Fraction{}, false},
		{"foreign values", "compared as Go does", [2]int{1, 2}, [2]int{1, 2}, true},
		{"datetimes with the same foreign tzinfo", "its offset is not known", &Datetime{Year: 2020, Month: 1, Day: 1, TZ: object}, &Datetime{Year: 2020, Month: 1, Day: 1, TZ: object}, true},
		{"datetimes with two foreign tzinfos", "their offsets are not known", &Datetime{Year: 2020, Month: 1, Day: 1, TZ: object}, &Datetime{Year: 2020, Month: 1, Day: 1, TZ: &Object{}}, false},
		{"datetimes with a tzinfo Go cannot compare", "identity is left", &Datetime{TZ: odd{}}, &Datetime{TZ: odd{}}, false},
		{"TimeZone without offset", "made in Go", &TimeZone{}, &TimeZone{}, true},
		{"slices", "by their parts, as since Python 3.12", &Slice{Stop: int64(1)}, &Slice{Stop: 1.0}, true},
	} {
		var d Dict
		if err := d.Set(tt.a, 1); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if _, got := d.Get(tt.b); got != tt.equal {
			t.Errorf("%s are equal: %t, want %t: %s", tt.name, got, tt.equal, tt.why)
		}
	}
	for _, key := range []any{[]int{1}, odd{}, func() {}, &Slice{Start: &List{}}, &FrozenSet{}, &ByteArray{}, map[int]int{}} {
		err := new(Dict).Set(key, nil)
		if _, isSet := key.(*FrozenSet); errors.As(err, new(*KeyError)) == isSet {
			t.Errorf("Set of a %T: error %v", key, err)
		}
		if has := new(Set).Has(key); has {
			t.Errorf("an empty set has a %T", key)
		}
	}
}

// TestDict crosses the size at which a dict gets an index, with plain and other keys.
func TestDict(t *testing.T) {
	for _, first := range []any{int64(-1), &Tuple{}} {
		var d Dict
		keys := []any{first}
		for i := range 20 {
			keys = append(keys, int64(i))
		}
		for i, k := range keys {
			if err := d.Set(k, i); err != nil {
				t.Fatal(err)
			}
			if err := d.Set(k, i*10); err != nil {
				t.Fatal(err)
			}
			if d.Len() != i+1 {
				t.Fatalf("after %d keys Len is %d", i+1, d.Len())
			}
			for j, k := range keys {
				if v, ok := d.Get(k); ok != (j <= i) || ok && v != j*10 {
					t.Fatalf("of %d keys, Get(%v) = %v, %t", i+1, k, v, ok)
				}
			}
		}
		i := 0
		for k := range d.All() {
			if k != keys[i] {
				t.Errorf("key %d is %v, want %v", i, k, keys[i])
			}
			i++
		}
	}
}
