package pickle

import (
	"errors"
	"math/big"

	"github.com/npygo/npy/pickle/internal/encoder"
	"github.com/npygo/npy/pickle/internal/opcode"
)

var (
	errNoPointer   = errors.New("the pointer is nil")
	errUnknownType = errors.New("package pickle does not know its type, nor does Encoder.Reduce")
)

// save writes a value, or begins to: a value that takes more than one step is left on the stack of tasks.
func (p *pickler) save(v any) error {
	if err := p.out.Boundary(); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		p.out.Ops(opcode.None)
	case bool:
		p.out.Bool(v)
	case int64:
		p.out.Int(v)
	case float64:
		p.out.Float(v)
	case *big.Int:
		return p.saveBig(v)
	default:
		return p.saveShared(v)
	}
	return nil
}

// saveShared writes a value that has an identity: its second occurrence is written as a reference.
func (p *pickler) saveShared(v any) error {
	id := keyOf(v)
	if p.out.Refer(id) {
		return nil
	}
	if id.Address == 0 && id.Kind <= encoder.KindPointer {
		return fail(v, errNoPointer)
	}
	switch v := v.(type) {
	case string:
		return p.saveString(v, id)
	case newStr:
		return p.saveString(string(v), encoder.Key{})
	case []byte:
		if p.protocol >= 3 {
			return p.saveBytes(v, id)
		}
	case *ByteArray:
		if p.protocol >= 5 {
			return p.saveByteArray(v, id)
		}
	case *List:
		p.out.Empty(opcode.EmptyList, opcode.List)
		p.out.Memoize(id)
		p.out.Expect(v.Items)
		p.push(v, len(v.Items))
		return nil
	case *Dict:
		p.out.Empty(opcode.EmptyDict, opcode.Dict)
		p.out.Memoize(id)
		p.push(v, v.Len())
		return nil
	case *Set:
		if p.protocol >= 4 {
			p.out.Ops(opcode.EmptySet)
			p.out.Memoize(id)
			p.push(v, v.Len())
			return nil
		}
	case *FrozenSet:
		if p.protocol >= 4 {
			p.out.Ops(opcode.Mark)
			return p.enter(v, id)
		}
	case *Tuple:
		return p.saveTuple(v, id)
	case *Global:
		return p.saveGlobal(v)
	case Singleton:
		return p.saveGlobal(&Global{Module: "builtins", Name: string(v)})
	case *Object:
		return p.enterObject(v, id)
	}
	return p.saveReduced(v, id)
}

// saveReduced writes a value for which pickles have no opcode, as the call that makes it.
func (p *pickler) saveReduced(v any, id encoder.Key) error {
	if o, err := p.reduceKnown(v); err != nil {
		return fail(v, err)
	} else if o != nil {
		return p.enterObject(p.keep(o), id)
	}
	if n, ok := goNumber(v); ok {
		return p.save(n)
	}
	id = p.foreignKey(v)
	if p.out.Refer(id) {
		return nil
	}
	var o *Object
	if p.reduce != nil {
		var err error
		if o, err = p.reduce(v); err != nil {
			return fail(v, err)
		}
	}
	if o == nil {
		return fail(v, errUnknownType)
	}
	return p.enterObject(p.keep(o), id)
}

// saveString writes a str and memoises it.
func (p *pickler) saveString(s string, id encoder.Key) error {
	if err := p.out.CheckText(s); err != nil {
		return fail(s, err)
	}
	if err := p.out.Text(s); err != nil {
		return err
	}
	p.out.Memoize(id)
	return nil
}

// saveBytes writes bytes and memoises them.
func (p *pickler) saveBytes(b []byte, id encoder.Key) error {
	if err := p.out.CheckSize(len(b)); err != nil {
		return fail(b, err)
	}
	if err := p.out.Bytes(b); err != nil {
		return err
	}
	p.out.Memoize(id)
	return nil
}

// saveByteArray writes a bytearray and memoises it.
func (p *pickler) saveByteArray(v *ByteArray, id encoder.Key) error {
	if err := p.out.ByteArray(v.Bytes); err != nil {
		return err
	}
	p.out.Memoize(id)
	return nil
}

// saveBig writes an int of any size.
func (p *pickler) saveBig(n *big.Int) error {
	if n == nil {
		return fail(n, errNoPointer)
	}
	if err := p.out.CheckBig(n); err != nil {
		return fail(n, err)
	}
	p.out.Big(n)
	return nil
}
