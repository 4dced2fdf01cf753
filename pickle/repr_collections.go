package pickle

import (
	"math/big"
	"net/netip"
	"strings"
)

// collectionReprs are the classes of collections, types and similar modules.
func collectionReprs() map[string]libraryRepr {
	return map[string]libraryRepr{
		"collections deque":      reprDeque,
		"collections ChainMap":   func(r *repr, x instance) bool { return r.attrCall(x, "ChainMap", "maps") },
		"collections UserDict":   func(r *repr, x instance) bool { return r.attrAlone(x, "data") },
		"collections UserList":   func(r *repr, x instance) bool { return r.attrAlone(x, "data") },
		"collections UserString": func(r *repr, x instance) bool { return r.attrAlone(x, "data") },
		"types SimpleNamespace":  func(r *repr, x instance) bool { return r.namespace(x, "namespace") },
		"argparse Namespace":     func(r *repr, x instance) bool { return r.namespace(x, "Namespace") },
		"array _array_reconstructor": func(r *repr, x instance) bool {
			return len(x.args) == 4 && r.arrayArray(x.args[1], x.args[2], x.args[3])
		},
		"array array":      reprArray,
		"itertools count":  func(r *repr, x instance) bool { return !x.HasState && r.plainCall("count", x.args) },
		"itertools repeat": func(r *repr, x instance) bool { return !x.HasState && r.plainCall("repeat", x.args) },
	}
}

// plainCall prints Class(args).
func (r *repr) plainCall(name string, args []any) bool {
	r.text(name)
	r.sequence("(", args, ")")
	return true
}

// attrAlone prints an attribute in place of the object.
func (r *repr) attrAlone(x instance, name string) bool {
	v, ok := x.attr(name)
	if ok {
		r.value(v)
	}
	return ok
}

// attrCall prints Class(*attribute) of a list.
func (r *repr) attrCall(x instance, class, name string) bool {
	v, _ := x.attr(name)
	list, ok := v.(*List)
	return ok && r.plainCall(class, list.Items)
}

// reprDeque prints deque([1, 2], maxlen=5), whose arguments are an empty tuple and the length.
func reprDeque(r *repr, x instance) bool {
	if len(x.args) == 1 || len(x.args) > 2 || x.HasState {
		return false
	}
	r.sequence("deque([", x.Items, "]")
	if len(x.args) == 2 && x.args[1] != nil {
		r.text(", maxlen=")
		r.value(x.args[1])
	}
	r.text(")")
	return true
}

// namespace prints the attributes of an object as arguments.
func (r *repr) namespace(x instance, head string) bool {
	d, ok := x.State.(*Dict)
	if !ok && x.HasState || len(x.args) > 0 {
		return false
	}
	r.text(head + "(")
	for i := 0; ok && i < d.Len() && !r.full(); i++ {
		if i > 0 {
			r.text(", ")
		}
		r.keyword(d.pairs[i])
	}
	r.text(")")
	return true
}

// arrayFormats are the machine formats of array.array: the bytes of an item, whether it is big-endian, and its kind.
var arrayFormats = map[int64]struct {
	size int
	big  bool
	kind byte // u unsigned, i signed, f float
}{
	0: {1, false, 'u'}, 1: {1, false, 'i'}, 2: {2, false, 'u'}, 3: {2, true, 'u'}, 4: {2, false, 'i'}, 5: {2, true, 'i'},
	6: {4, false, 'u'}, 7: {4, true, 'u'}, 8: {4, false, 'i'}, 9: {4, true, 'i'}, 10: {8, false, 'u'}, 11: {8, true, 'u'},
	12: {8, false, 'i'}, 13: {8, true, 'i'}, 14: {4, false, 'f'}, 15: {4, true, 'f'}, 16: {8, false, 'f'}, 17: {8, true, 'f'},
}

// arrayArray prints array('d', [1.0, 2.5]) from a type code, a machine format and bytes.
func (r *repr) arrayArray(code, machine, data any) bool {
	c, ok1 := code.(string)
	n, ok2 := machine.(int64)
	raw, ok3 := RawBytes(data)
	if !ok1 || !ok2 || !ok3 || len(c) != 1 {
		return false
	}
	if c == "u" || c == "w" {
		return r.arrayText(c, n, raw)
	}
	f, ok := arrayFormats[n]
	if !ok || len(raw)%f.size != 0 {
		return false
	}
	if len(raw) == 0 {
		return r.plainCall("array", []any{c})
	}
	r.text("array(")
	r.value(c)
	r.text(", [")
	for i := 0; i < len(raw) && !r.full(); i += f.size {
		if i > 0 {
			r.text(", ")
		}
		r.value(arrayItem(raw[i:i+f.size], f.big, f.kind))
	}
	r.text("])")
	return true
}

// reprArray prints an array.array that was pickled as its type code and a list or text, as in protocols 0 to 2.
func reprArray(r *repr, x instance) bool {
	code, ok := first(x.args).(string)
	if !ok || len(x.args) != 2 {
		return false
	}
	switch items := x.args[1].(type) {
	case string:
		return r.plainCall("array", x.args)
	case *List:
		switch {
		case len(items.Items) == 0:
			return r.plainCall("array", []any{code})
		case code == "u" || code == "w":
			return r.plainCall("array", []any{code, joined(items.Items)})
		}
		return r.plainCall("array", x.args)
	}
	return false
}

// joined returns the text of a list of characters.
func joined(items []any) string {
	var text strings.Builder
	for _, v := range items {
		c, _ := v.(string)
		text.WriteString(firstChars(c, 1))
	}
	return text.String()
}

// arrayText prints an array of characters: UTF-16 or UTF-32, as machine formats 18 to 21 say.
func (r *repr) arrayText(code string, machine int64, raw []byte) bool {
	var units []uint32
	size, big := 2, machine&1 != 0
	if machine >= 20 {
		size = 4
	}
	if machine < 18 || machine > 21 || len(raw)%size != 0 {
		return false
	}
	if len(raw) == 0 {
		return r.plainCall("array", []any{code})
	}
	for i := 0; i < len(raw); i += size {
		n, _ := arrayItem(raw[i:i+size], big, 'u').(int64)
		units = append(units, uint32(n))
	}
	return r.plainCall("array", []any{code, textOfUnits(units, size)})
}

// cTypes are the number types of module ctypes on 64 bits: the size and the kind, as in arrayFormats.
var cTypes = map[string]struct {
	size int
	kind byte
}{
	"c_byte": {1, 'i'}, "c_ubyte": {1, 'u'}, "c_short": {2, 'i'}, "c_ushort": {2, 'u'}, "c_int": {4, 'i'}, "c_uint": {4, 'u'},
	"c_long": {8, 'i'}, "c_ulong": {8, 'u'}, "c_longlong": {8, 'i'}, "c_ulonglong": {8, 'u'}, "c_float": {4, 'f'}, "c_double": {8, 'f'},
}

// reprCType prints c_int(5), whose arguments are a class, and a dict and the bytes.
func reprCType(r *repr, x instance) bool {
	if len(x.args) != 2 {
		return false
	}
	class, ok1 := x.args[0].(*Global)
	state, ok2 := x.args[1].(*Tuple)
	if !ok1 || !ok2 || class.Module != "ctypes" || len(state.Items) != 2 {
		return false
	}
	t, ok := cTypes[class.Name]
	raw, isRaw := RawBytes(state.Items[1])
	if !ok || !isRaw || len(raw) != t.size {
		return false
	}
	return r.plainCall(class.Name, []any{arrayItem(raw, false, t.kind)})
}

// addressReprs are the classes of module ipaddress.
func addressReprs() map[string]libraryRepr {
	return map[string]libraryRepr{
		"ipaddress IPv4Address":   reprAddressOf,
		"ipaddress IPv6Address":   reprAddressOf,
		"ipaddress IPv4Network":   reprAddressOf,
		"ipaddress IPv6Network":   reprAddressOf,
		"ipaddress IPv4Interface": reprAddressOf,
		"ipaddress IPv6Interface": reprAddressOf,
	}
}

// reprAddressOf prints IPv4Address('1.2.3.4') from a number or a text.
func reprAddressOf(r *repr, x instance) bool {
	if len(x.args) != 1 {
		return false
	}
	text, ok := x.args[0].(string)
	if n := bigOf(x.args[0]); !ok && n != nil {
		text, ok = addressText(n, x.class.Name)
	}
	return ok && r.plainCall(x.class.Name, []any{text})
}

// addressText returns the text of an address given as a number.
func addressText(n *big.Int, class string) (string, bool) {
	size := 4
	if strings.HasPrefix(class, "IPv6") {
		size = 16
	}
	if n.Sign() < 0 || n.BitLen() > 8*size || !strings.HasSuffix(class, "Address") {
		return "", false
	}
	address, ok := netip.AddrFromSlice(n.FillBytes(make([]byte, size)))
	return address.String(), ok
}
