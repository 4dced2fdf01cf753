package audit

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A dtype holds the known properties of a numpy.dtype.
type dtype struct {
	code     byte  // b i u f c m M O S U V, and T for StringDType
	size     int64 // the item size in bytes
	object   bool  // it contains Python objects
	fields   []*dtype
	offsets  []int64
	base     *dtype // the size of a subarray
	maskSize int64  // the bytes of the mask of an element
	depth    int
	busy     bool // its state is being checked
}

const (
	maxDepth    = 64
	maxItemSize = math.MaxInt32
)

// objectSize is the item size of an object: a pointer. With pointers of 4 bytes, more is accepted.
const objectSize = 8

// itemSizes are the sizes of the number types, by their codes.
var itemSizes = map[byte][]int64{
	'b': {1}, 'i': {1, 2, 4, 8}, 'u': {1, 2, 4, 8}, 'f': {2, 4, 8, 12, 16}, 'c': {8, 16, 24, 32}, 'm': {8}, 'M': {8}, 'O': {4, 8},
}

// newDType constructs a dtype: numpy.dtype(code, False, True), or with the class numpy.record in place of the code.
func newDType(_ *tracer, args []any) (any, error) {
	if len(args) != 3 || !isTruth(args[1], false) || !isTruth(args[2], true) {
		return nil, errArguments
	}
	made := &object{kind: dtypeKind}
	if classOf(args[0]) == recordScalar {
		made.dtype = &dtype{code: 'V', maskSize: 1}
		return made, nil
	}
	spec := word(args[0])
	if len(spec) < 2 || strings.Trim(spec[1:], "0123456789") != "" {
		return nil, errArguments
	}
	n, err := strconv.ParseInt(spec[1:], 10, 32)
	if err != nil {
		return nil, errArguments
	}
	d := &dtype{code: spec[0], size: n, maskSize: 1}
	switch {
	case d.code == 'O' && slices.Contains(itemSizes['O'], n):
		d.size, d.object = objectSize, true
	case d.code == 'U':
		d.size = 4 * n
	case d.code != 'S' && d.code != 'V' && !slices.Contains(itemSizes[d.code], n), d.size > maxItemSize:
		return nil, errArguments
	}
	made.dtype = d
	return made, nil
}

func isInt64(v any) bool { _, ok := v.(int64); return ok }

// isTruth reports whether v is a bool, or the int written for it.
func isTruth(v any, want bool) bool {
	n := int64(0)
	if want {
		n = 1
	}
	return v == want || v == n
}

// use returns a dtype that another value is made of. The dtype must not change after this.
func use(v any) (*dtype, error) {
	o, ok := v.(*object)
	if !ok || o.kind != dtypeKind {
		return nil, errors.New("its dtype is none")
	}
	if o.dtype.busy {
		return nil, errors.New("its dtype contains itself")
	}
	o.stated = true
	return o.dtype, nil
}

// A dtypeState is the state of a dtype.
type dtypeState struct {
	order                                                 string
	subarray, names, fields, size, align, flags, metadata any
}

var errState = errors.New("its state is not one that NumPy writes")

// setDType checks the state of a dtype, in versions 3 and 4 (arraydescr_setstate).
func (t *tracer) setDType(d *dtype, state any) error {
	tup, ok := state.(*tuple)
	if !ok || len(tup.items) != 8 && len(tup.items) != 9 || tup.items[0] != int64(3) && tup.items[0] != int64(4) {
		return errState
	}
	items := tup.items
	s := dtypeState{word(items[1]), items[2], items[3], items[4], items[5], items[6], items[7], nil}
	if len(items) == 9 {
		s.metadata = items[8]
	}
	d.busy = true
	defer func() { d.busy = false }()
	if !isInt64(s.size) || !isInt64(s.align) { // NumPy converts them even where it does not need them
		return errState
	}
	if !d.ordered(s.order) || !d.metadata(s.metadata) {
		return errState
	}
	var err error
	switch {
	case s.subarray != nil:
		err = d.setSubarray(s)
	case s.names != nil || s.fields != nil:
		err = t.setFields(d, s)
	case d.code == 'S' || d.code == 'U' || d.code == 'V':
		err = d.setSize(s)
	}
	if err != nil {
		return err
	}
	return d.checkFlags(s.flags)
}

// ordered reports whether the type may have a byte order. Objects and structs must not: NumPy would swap their bytes.
func (d *dtype) ordered(order string) bool {
	if d.code == 'O' || d.code == 'V' || d.code == 'S' {
		return order == "|"
	}
	return len(order) == 1 && strings.Contains("|=<>", order)
}

// metadata reports whether the metadata is as NumPy keeps it: a dict, and for times also the unit.
func (d *dtype) metadata(v any) bool {
	if d.code == 'm' || d.code == 'M' {
		pair, ok := v.(*tuple)
		if !ok || len(pair.items) != 2 {
			return v == nil
		}
		unit, ok := pair.items[1].(*tuple)
		if !ok || len(unit.items) < 2 || len(unit.items) > 5 || !all(unit.items, isLeaf) {
			return false
		}
		v = pair.items[0]
	}
	_, ok := v.(*dict)
	return ok || v == nil
}

// setSize sets the size of texts, bytes and voids.
func (d *dtype) setSize(s dtypeState) error {
	n, ok := s.size.(int64)
	if !ok || n < 0 || n > maxItemSize || d.code == 'U' && n%4 != 0 || !isAlignment(s.align, n) {
		return errState
	}
	d.size = n
	return nil
}

// isAlignment reports whether v is an alignment in bytes. Aligned structs without fields have alignment 0.
func isAlignment(v any, size int64) bool {
	n, ok := v.(int64)
	return ok && (slices.Contains([]int64{1, 2, 4, 8, 16}, n) || n == 0 && size == 0)
}

// setSubarray takes (base, shape).
func (d *dtype) setSubarray(s dtypeState) error {
	pair, ok := s.subarray.(*tuple)
	if !ok || len(pair.items) != 2 || s.names != nil || s.fields != nil || d.code != 'V' {
		return errState
	}
	base, err := use(pair.items[0])
	if err != nil {
		return err
	}
	count, ok := shapeOf(pair.items[1])
	if n, isInt := pair.items[1].(int64); isInt {
		count, ok = n, n >= 0
	}
	if err := d.setSize(s); err != nil {
		return err
	}
	if !ok || base.code == 'T' || base.size > 0 && count > maxItemSize/base.size || base.size*count != d.size || base.depth >= maxDepth {
		return errState
	}
	d.base, d.object, d.depth = base, base.object, base.depth+1
	d.maskSize = saturated(base.maskSize, count)
	return nil
}

// saturated returns a product, at most maxItemSize+1.
func saturated(a, b int64) int64 {
	if a > 0 && b > (maxItemSize+1)/a {
		return maxItemSize + 1
	}
	return a * b
}

// setFields sets the names and the dict of fields. NumPy keeps the dict, so it must not change after this.
func (t *tracer) setFields(d *dtype, s dtypeState) error {
	names, ok1 := s.names.(*tuple)
	fields, ok2 := s.fields.(*dict)
	if !ok1 || !ok2 || d.code != 'V' {
		return errState
	}
	if err := d.setSize(s); err != nil {
		return err
	}
	if err := t.charge(int64(len(fields.items))); err != nil {
		return err
	}
	fields.frozen = true
	byName := make(map[any]any, len(fields.items)/2)
	for i := 0; i < len(fields.items); i += 2 {
		byName[fields.items[i]] = fields.items[i+1]
		if name, ok := nameOf(fields.items[i]); !ok || !isFieldName(fields.items[i]) || 2*len(byName) < i+2 || byName[oldText(name)] != nil && byName[name] != nil {
			return errors.New("its dict has a field twice, or by no name")
		}
	}
	d.fields, d.maskSize = []*dtype{}, 0
	for _, v := range names.items {
		if err := d.addField(v, byName); err != nil {
			return err
		}
	}
	if len(byName) > 0 {
		return errors.New("its dict has fields that are not among its names")
	}
	return d.checkOverlaps()
}

// addField moves a field from the remaining dict entries to the dtype: (dtype, offset), and a title, which is a second
// key for the field.
func (d *dtype) addField(name any, left map[any]any) error {
	if !isFieldName(name) {
		return errState
	}
	field, found := left[name].(*tuple)
	if !found || len(field.items) != 2 && len(field.items) != 3 {
		return errState
	}
	delete(left, name)
	f, err := use(field.items[0])
	offset, ok := field.items[1].(int64)
	switch {
	case err != nil:
		return err
	case !ok || offset < 0 || offset > d.size-f.size || f.code == 'T' || f.depth >= maxDepth:
		return errors.New("it has a field outside of its elements")
	}
	if len(field.items) == 3 {
		title := field.items[2]
		if !isLeaf(title) {
			return errState
		}
		if again, found := left[title].(*tuple); found && isFieldName(title) {
			if !slices.Equal(again.items, field.items) {
				return errors.New("the title of a field is that of another one")
			}
			delete(left, title)
		}
	}
	d.fields, d.offsets = append(d.fields, f), append(d.offsets, offset)
	d.object = d.object || f.object
	d.depth = max(d.depth, f.depth+1)
	d.maskSize = min(d.maskSize+f.maskSize, maxItemSize+1)
	return nil
}

// isFieldName reports whether v may be the name of a field. A name of Python 2 must be ASCII, so that every encoding
// decodes it alike.
func isFieldName(v any) bool {
	switch v := v.(type) {
	case string:
		return true
	case oldText:
		return latin1Length(string(v)) == int64(len(v))
	}
	return false
}

// checkOverlaps makes sure that no field shares bytes with an object, which is a pointer.
func (d *dtype) checkOverlaps() error {
	if !d.object {
		return nil
	}
	order := make([]int, len(d.fields))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(d.offsets[a] - d.offsets[b]) })
	var end, objectEnd int64 // the ends of the fields so far, and of the fields with objects
	for _, i := range order {
		f, at := d.fields[i], d.offsets[i]
		if at < objectEnd || f.object && at < end {
			return errors.New("fields share bytes with an object")
		}
		end = max(end, at+f.size)
		if f.object {
			objectEnd = max(objectEnd, at+f.size)
		}
	}
	return nil
}

// NumPy's flags of dtypes that say how elements are handled. Aligned structs have another flag, which NumPy 1 writes as
// the sign.
const (
	flagRefCount  = 0x01
	flagList      = 0x02
	flagPointer   = 0x04
	flagNeedsInit = 0x08
	flagNeedsAPI  = 0x10
	flagGetItem   = 0x20
	flagAligned   = 0x80
	flagsOfObject = flagRefCount | flagList | flagPointer | flagNeedsInit | flagNeedsAPI | flagGetItem
	flagsOfStruct = flagRefCount | flagList | flagNeedsInit | flagNeedsAPI
)

// checkFlags makes sure that the flags say where objects are, and only there.
func (d *dtype) checkFlags(v any) error {
	flags, ok := v.(int64)
	if !ok || flags < -flagAligned || flags > 0xff {
		return errState
	}
	flags &= flagAligned - 1
	want := int64(0)
	switch {
	case d.code == 'O':
		want = flagsOfObject
	case d.fields != nil && d.object:
		want = flagsOfStruct
	case d.base != nil && d.object:
		want = d.base.objectFlags()
	default:
		flags &^= flagNeedsInit | flagNeedsAPI
	}
	if flags != want {
		return errors.New("its flags do not say where its objects are")
	}
	return nil
}

// objectFlags returns the flags of a type with objects in it.
func (d *dtype) objectFlags() int64 {
	switch {
	case d.code == 'O':
		return flagsOfObject
	case d.base != nil:
		return d.base.objectFlags()
	}
	return flagsOfStruct
}

// alike reports whether elements of two types have objects, and all other data, in the same places.
func (t *tracer) alike(a, b *dtype) bool {
	if a == b {
		return true
	}
	if t.charge(1) != nil || a.code != b.code || a.size != b.size || len(a.fields) != len(b.fields) || (a.base == nil) != (b.base == nil) {
		return false
	}
	for i, f := range a.fields {
		if a.offsets[i] != b.offsets[i] || !t.alike(f, b.fields[i]) {
			return false
		}
	}
	return a.base == nil || t.alike(a.base, b.base)
}
