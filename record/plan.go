package record

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/codec"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/internal/par"
	"github.com/npygo/npy/scalar"
)

// A Plan converts between records of one dtype and Go structs of type T. It may be used by several goroutines.
type Plan[T any] struct{ p *program }

// Compile returns the Plan for records of t and Go structs of type T. Every field of T must match a field of t that
// it can hold, or the error is a [*npy.TypeError] that names both types. If T is an array, t may be the dtype of its
// elements or the subarray. Plans are cached for the next call with the same types.
func Compile[T any](t dtype.Type) (*Plan[T], error) { return Loader[T]{}.Compile(t) }

// Compile is the function [Compile] with the settings of l.
func (l Loader[T]) Compile(t dtype.Type) (*Plan[T], error) {
	t, err := wholeType(reflect.TypeFor[T](), t)
	if err != nil {
		return nil, err
	}
	p, err := cached(reflect.TypeFor[T](), t, policy{l.Strict, l.Array.Casting})
	if err != nil {
		return nil, err
	}
	return &Plan[T]{p}, nil
}

// DType returns the dtype of the records.
func (p *Plan[T]) DType() dtype.Type { return p.p.dtype }

// Decode fills dst from src, which holds len(dst) records. Padding and skipped fields of dst keep their values. A
// value that a field cannot hold is a [*ValueError]. Many records are decoded by several goroutines.
func (p *Plan[T]) Decode(dst []T, src []byte) error {
	if len(src) != len(dst)*p.p.size {
		return diag.Errorf("record", "%d bytes for %d records of %d", len(src), len(dst), p.p.size)
	}
	if p.p.sameLoad {
		raw, _ := bulk.Bytes(dst)
		copy(raw, src)
		return nil
	}
	size := p.p.size
	return par.Split(context.Background(), len(dst), p.p.block, len(src), func(low, high int) error {
		return renumber(p.p.decode(reflect.ValueOf(dst[low:high]), src[low*size:high*size]), low)
	})
}

// fill is Decode on one goroutine, for memory with arbitrary contents. It clears the memory while it is in the cache.
func (p *Plan[T]) fill(dst []T, src []byte) error {
	structs := reflect.ValueOf(dst)
	return p.p.blocks(len(dst), func(first, n int) error {
		clear(dst[first : first+n])
		return p.p.decodeBlock(structs, first, n, src)
	})
}

// Encode writes src as records to dst, which must have exactly the size of len(src) records. Padding becomes zeros.
// The error is a [*npy.TypeError] if T can read the dtype but not be written with it: it has a wider type, or lacks a
// field. A value that does not fit is a [*ValueError]. Many records are encoded by several goroutines.
func (p *Plan[T]) Encode(dst []byte, src []T) error {
	if len(dst) != len(src)*p.p.size {
		return diag.Errorf("record", "%d bytes for %d records of %d", len(dst), len(src), p.p.size)
	}
	if p.p.noStore != nil {
		return p.p.noStore
	}
	if p.p.sameStore {
		raw, _ := bulk.Bytes(src)
		copy(dst, raw)
		return nil
	}
	size := p.p.size
	return par.Split(context.Background(), len(src), p.p.block, len(dst), func(low, high int) error {
		return renumber(p.p.encode(dst[low*size:high*size], reflect.ValueOf(src[low:high])), low)
	})
}

// A program is a Plan for types that are known only at run time.
type program struct {
	goType  reflect.Type
	dtype   dtype.Type
	size    int // of a record in bytes
	block   int // records moved at a time
	leaves  []leaf
	noStore error // why T cannot be written; nil if it can

	// The records have the memory layout of the structs: for reading, and for writing, which also needs structs
	// without padding, because padding has arbitrary contents.
	sameLoad, sameStore bool
}

// blockBytes is the size of the blocks that are moved field by field. They are in the cache for all fields after the
// first, and the buffers of columns stay small.
const (
	blockBytes   = 64 << 10
	blockRecords = 1024
)

func compile(t reflect.Type, d dtype.Type, o policy) (*program, error) {
	switch {
	case !isRecord(t):
		return nil, refuse(t, d, "", "records need a struct or array type; package npy reads elements of other types")
	case d.HasObject():
		return nil, diag.Errorf("record", "dtype %s: %w", d, npy.ErrObjects)
	case t.Kind() == reflect.Struct && !d.IsStruct():
		return nil, refuse(t, d, "", "the array has no fields; use npy.Load or npy.As")
	}
	b := newBinder(t, d, o)
	if err := b.bind(bulk.PlaceIn(t), d, dtype.Type{}, spot{record: d.ItemSize()}, names{}); err != nil {
		return nil, err
	}
	return b.program(t, d), nil
}

// isRecord reports whether values of t are made of others: structs, and arrays.
func isRecord(t reflect.Type) bool {
	return t.Kind() == reflect.Array || t.Kind() == reflect.Struct && !isLeaf(t)
}

// compileField is compile for a single field of the records; t is the type of its values.
func compileField(t reflect.Type, d dtype.Type, path string, casting npy.Casting) (*program, error) {
	if d.HasObject() {
		return nil, diag.Errorf("record", "dtype %s: %w", d, npy.ErrObjects)
	}
	b := newBinder(t, d, policy{casting: casting})
	if err := b.bindPath(bulk.PlaceIn(t), d, spot{record: d.ItemSize()}, names{}, path); err != nil {
		return nil, err
	}
	return b.program(t, d), nil
}

func newBinder(t reflect.Type, d dtype.Type, o policy) *binder {
	return &binder{policy: o, same: bulk.Shares && d.ItemSize() > 0 && int(t.Size()) == d.ItemSize()}
}

func (b *binder) program(t reflect.Type, d dtype.Type) *program {
	p := &program{goType: t, dtype: d, size: d.ItemSize(), leaves: b.leaves, noStore: b.noStore}
	p.block = min(max(blockBytes/max(p.size, int(t.Size()), 1), 1), blockRecords)
	p.sameLoad = b.same && !b.others
	p.sameStore = p.sameLoad && !b.gaps && b.noStore == nil
	return p
}

func (p *program) decode(s reflect.Value, src []byte) error {
	return p.blocks(s.Len(), func(first, n int) error { return p.decodeBlock(s, first, n, src) })
}

// decodeBlock decodes n of the records in src, starting with record first.
func (p *program) decodeBlock(s reflect.Value, first, n int, src []byte) error {
	records := src[first*p.size : (first+n)*p.size]
	for i := range p.leaves {
		if err := p.leaves[i].load(s, first, n, records, p.size); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) encode(dst []byte, s reflect.Value) error {
	return p.blocks(s.Len(), func(first, n int) error {
		records := dst[first*p.size : (first+n)*p.size]
		clear(records)
		for i := range p.leaves {
			if err := p.leaves[i].store(records, p.size, s, first, n); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *program) blocks(n int, do func(first, n int) error) error {
	for first := 0; first < n; first += p.block {
		if err := do(first, min(p.block, n-first)); err != nil {
			return err
		}
	}
	return nil
}

// A binder walks a Go type and a dtype in parallel.
type binder struct {
	policy
	leaves       []leaf
	noStore      error
	same         bool // all leaves have the same offset and bits in the struct and the record
	gaps, others bool // see typeInfo
}

// A spot is a position in a record.
type spot struct {
	record, start int
	strides       []int
}

// names are the paths of a field in the dtype and in the struct. goPath is empty for the Go type itself.
type names struct{ file, goPath string }

// inGo names the Go type or field, for errors.
func (n names) inGo() string {
	if n.goPath == "" {
		return "the Go type"
	}
	return "Go field " + n.goPath
}

// bind matches the Go value at a place, whose tag may give a dtype, with a value of dtype d in the record.
func (b *binder) bind(at bulk.Place, d, tagged dtype.Type, s spot, n names) error {
	t := at.Type()
	if c, ok := columnFor(t, d, tagged); ok {
		return b.bindLeaf(leaf{path: n.file, goPath: n.goPath, dtype: d, at: at, start: s.start, strides: s.strides, column: c}, s)
	}
	switch t.Kind() {
	case reflect.Array:
		return b.bindArray(at, d, tagged, s, n)
	case reflect.Struct:
		if !d.IsStruct() {
			return refuse(t, d, n.file, n.inGo()+" is a struct, the field is not")
		}
		return b.bindStruct(at, d, tagged, s, n)
	}
	return refuse(t, d, n.file, n.inGo()+": "+unfit(t))
}

func (b *binder) bindStruct(at bulk.Place, d, tagged dtype.Type, s spot, n names) error {
	info, err := fieldsOf(at, n.file)
	if err != nil {
		return err
	}
	b.gaps, b.others = b.gaps || info.gaps, b.others || info.others
	fields, taken := d.Fields(), make(map[int]string)
	for _, f := range info.fields {
		i, ok := f.find(d)
		goPath := join(n.goPath, f.goName)
		if !ok {
			return refuse(f.at.Type(), d, join(n.file, f.name), "Go field "+goPath+" needs a field of that name, the dtype has "+list(fields))
		}
		if first, ok := taken[i]; ok {
			return refuse(f.at.Type(), fields[i].DType, join(n.file, fields[i].Name), "Go fields "+first+" and "+goPath+" both belong to it")
		}
		taken[i] = goPath
		inner := spot{s.record, s.start + fields[i].Offset, s.strides}
		if err := b.bind(f.at, fields[i].DType, f.tagIn(tagged), inner, names{join(n.file, fields[i].Name), goPath}); err != nil {
			return err
		}
	}
	return b.rest(at.Type(), fields, taken, n)
}

// rest handles fields of the dtype without a field in the Go struct.
func (b *binder) rest(t reflect.Type, fields []dtype.Field, taken map[int]string, n names) error {
	for i, f := range fields {
		if _, ok := taken[i]; ok {
			continue
		}
		err := refuse(t, f.DType, join(n.file, f.Name), "the Go struct has no field for it")
		if b.strict {
			return err
		}
		b.keep(err)
	}
	return nil
}

// keep keeps the first reason why T cannot be written.
func (b *binder) keep(err error) {
	if b.noStore == nil {
		b.noStore = err
	}
}

func list(fields []dtype.Field) string {
	names := []string{}
	for _, f := range fields[:min(len(fields), 20)] {
		names = append(names, fmt.Sprintf("%q", f.Name))
	}
	if len(fields) > 20 {
		names = append(names, "…")
	}
	return fmt.Sprint(names)
}

func (b *binder) bindArray(at bulk.Place, d, tagged dtype.Type, s spot, n names) error {
	if !d.IsSubarray() {
		return refuse(at.Type(), d, n.file, n.inGo()+" is an array, the field is not a subarray")
	}
	at, s, err := enter(at, d, s, n)
	if err != nil {
		return err
	}
	if tagged.IsSubarray() {
		tagged = tagged.Elem()
	}
	return b.bind(at, d.Elem(), tagged, s, n)
}

// enter matches one Go array with each dimension of a subarray.
func enter(at bulk.Place, d dtype.Type, s spot, n names) (bulk.Place, spot, error) {
	t, shape := at.Type(), d.SubShape()
	s.strides = append(slices.Clip(s.strides), steps(shape, d.Elem().ItemSize())...)
	for _, dim := range shape {
		if at.Type().Kind() != reflect.Array || at.Type().Len() != dim {
			return at, s, refuse(t, d, n.file, fmt.Sprintf("%s needs arrays of the dimensions %v", n.inGo(), shape))
		}
		at = at.Elems()
	}
	return at, s, nil
}

// bindPath binds the field at the end of a path. Each subarray of structs on the path adds its dimensions to the
// field's type.
func (b *binder) bindPath(at bulk.Place, d dtype.Type, s spot, n names, path string) error {
	if d.IsSubarray() {
		var err error
		if at, s, err = enter(at, d, s, n); err != nil {
			return err
		}
		d = d.Elem()
	}
	name, rest, more := cutPath(d, path)
	f, ok := d.FieldByName(name)
	n.file = join(n.file, name)
	if !ok {
		return &npy.FieldError{DType: d, Path: n.file}
	}
	s.start += f.Offset
	if more {
		return b.bindPath(at, f.DType, s, n, rest)
	}
	return b.bind(at, f.DType, dtype.Type{}, s, n)
}

// steps returns the strides of an array in C order.
func steps(shape []int, itemSize int) []int {
	strides := make([]int, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		strides[i] = itemSize
		itemSize *= shape[i]
	}
	return strides
}

func (b *binder) bindLeaf(l leaf, s spot) error {
	t, n := l.at.Type(), names{l.path, l.goPath}
	lossy := !l.column.reads(l.dtype)
	if lossy {
		l.column = l.column.with(b.casting)
	}
	switch {
	case l.dtype.IsSubarray():
		return refuse(t, l.dtype, l.path, fmt.Sprintf("%s needs arrays of the dimensions %v", n.inGo(), l.dtype.SubShape()))
	case l.dtype.IsStruct():
		return refuse(t, l.dtype, l.path, "the field is a struct, "+n.inGo()+" is not")
	case !l.column.reads(l.dtype):
		return refuse(t, l.dtype, l.path, misread(l.column, l.dtype, n)+allowing(l.column, l.dtype))
	}
	bits := isNumber(t)
	if !l.column.writes(l.dtype) {
		bits = false
		b.keep(refuse(t, l.dtype, l.path, n.inGo()+" can read it and not write it: "+unwritten(l.column, l.dtype)))
	}
	switch l.column.(type) {
	case durations: // NaT is not a duration
		bits = false
	case ticks[scalar.Datetime64], ticks[scalar.Timedelta64]:
		bits = false
	}
	swap := isReversed(l.dtype)
	b.same = b.same && bits && !swap && l.at.Offset() == l.start && slices.Equal(l.strides, l.at.Strides())
	switch {
	case l.at.Count() == 0:
	case bits:
		l.moves, _ = bulk.NewMoves(l.at, s.record, s.start, s.strides, swap)
	case !lossy && widens(l.dtype, t):
		l.moves, _ = bulk.NewWidening(l.at, numberKind(l.dtype), s.record, s.start, s.strides, swap)
	}
	if l.at.Count() > 0 { // an array of 0 elements may have offsets outside of the record
		b.leaves = append(b.leaves, l)
	}
	return nil
}

// allowing names the strictest casting with which c can read values of d.
func allowing(c column, d dtype.Type) string {
	for casting := npy.SameKindCasting; casting <= npy.UnsafeCasting; casting++ {
		if c.with(casting).reads(d) {
			return ", or allow the change with Casting: " + casting.GoString()
		}
	}
	return ""
}

// misread returns why values of d cannot be read, and which types can.
func misread(c column, d dtype.Type, n names) string {
	switch c := c.(type) {
	case durations:
		if isInteger(d) {
			return n.inGo() + ` is a timedelta64 and these are integers: use int64, or the tag ,i8 if they count nanoseconds`
		}
	case taggedColumn:
		return fmt.Sprintf("the tag of %s says %s, in which values could change; say %s or use %s", n.inGo(), c.dtype(), d, goTime(d))
	}
	return "values could change in " + n.inGo() + lossless(d)
}

// unwritten returns why values cannot be written as d.
func unwritten(c column, d dtype.Type) string {
	if c, ok := c.(taggedColumn); ok {
		return fmt.Sprintf("its tag says %s, in which there are values between those of %s; say %s or use %s", c.dtype(), d, d, goTime(d))
	}
	return "the Go type holds more, unlike " + npy.GoTypes(d)[0].String()
}

// lossless lists the Go types that can hold d.
func lossless(d dtype.Type) string {
	text := ""
	for _, t := range npy.GoTypes(d) {
		text += " or " + t.String()
	}
	switch {
	case (times{}).reads(d):
		text += " or time.Time"
	case (durations{}).reads(d):
		text += " or time.Duration"
	}
	if text == "" {
		return ""
	}
	return "; it can be" + text[len(" or"):]
}

// widens reports whether Go's conversion turns numbers of d into numbers of t. The type must be fully described by
// its kind, unlike float16.
func widens(d dtype.Type, t reflect.Type) bool {
	base, k := codec.Base(t), t.Kind()
	return base != nil && base.PkgPath() == "" && numberKind(d) != reflect.Invalid && k != reflect.Int8 && k != reflect.Uint8 && isNumber(t) && k <= reflect.Float64
}

// numberKind returns the Go kind of the numbers of d that can be widened.
func numberKind(d dtype.Type) reflect.Kind {
	sizes := map[int]int{1: 0, 2: 1, 4: 2}
	i, ok := sizes[d.ItemSize()]
	switch {
	case !ok:
	case d.Kind() == dtype.KindInt:
		return reflect.Int8 + reflect.Kind(i)
	case d.Kind() == dtype.KindUint:
		return reflect.Uint8 + reflect.Kind(i)
	case d.Kind() == dtype.KindFloat && d.ItemSize() == 4:
		return reflect.Float32
	}
	return reflect.Invalid
}

// isReversed reports whether numbers of d have another byte order than this machine. Numbers in void, such as
// bfloat16, are little-endian.
func isReversed(d dtype.Type) bool {
	if d.Kind() == dtype.KindVoid {
		return d.ItemSize() > 1 && dtype.NativeEndian == dtype.BigEndian
	}
	return !d.IsNative()
}

// isNumber reports whether every bit pattern is a value of t: a number, or a type of package scalar with one field.
func isNumber(t reflect.Type) bool { return bulk.NumberKind(t) != reflect.Invalid }
