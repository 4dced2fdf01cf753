package pickle

import (
	"cmp"
	"errors"

	"github.com/npygo/npy/pickle/internal/encoder"
	"github.com/npygo/npy/pickle/internal/opcode"
)

// Values that are memoised at their end, such as tuples, can be in progress more than once: when they contain
// themselves by way of a list, for example. Each time costs as much as the whole value, so it is counted, on stacks of
// more than shallow tasks only, and must not happen more than maxEntered times. The count also finds a value that
// contains itself without a list, dict or state between, which Python cannot make.
const (
	shallow    = 64
	maxEntered = 100
)

var errSelf = errors.New("it contains itself over and over, which Python cannot write either: put it into a list once")

// push puts a container on the stack of tasks, unless it is empty.
func (p *pickler) push(container any, items int) {
	if items > 0 {
		p.tasks = append(p.tasks, task{value: container})
	}
}

// enter begins a value that is memoised at its end.
func (p *pickler) enter(value any, id encoder.Key) error {
	if len(p.tasks) >= shallow && id != (encoder.Key{}) {
		if p.entered[id]++; p.entered[id] > maxEntered {
			return fail(value, errSelf)
		}
	}
	p.tasks = append(p.tasks, task{value: value, id: id})
	return nil
}

// leave ends the task on top of the stack.
func (p *pickler) leave() {
	last := len(p.tasks) - 1
	if last >= shallow {
		delete(p.entered, p.tasks[last].id)
	}
	p.tasks[last] = task{} // do not keep the value alive
	p.tasks = p.tasks[:last]
}

// step continues the task on top of the stack.
func (p *pickler) step() error {
	t := &p.tasks[len(p.tasks)-1]
	switch v := t.value.(type) {
	case *List:
		return p.fill(t, contents{items: v.Items}, fillList)
	case *Dict:
		return p.fill(t, contents{pairs: v.pairs, width: 2}, fillDict)
	case *Set:
		return p.fill(t, contents{pairs: v.elements.pairs, width: 1}, fillSet)
	case *objectItems:
		return p.fill(t, contents{items: v.Items}, fillObject)
	case *objectPairs:
		return p.fill(t, contents{pairs: v.Pairs, width: 2}, fillObjectPairs)
	case *arguments:
		c := contents{items: v.Items}
		if done, err := p.each(t, c, c.len()); !done {
			return err
		}
		p.leave()
		return nil
	case *Tuple:
		return p.stepTuple(t, v)
	case *FrozenSet:
		return p.stepFrozenSet(t, v)
	default:
		return p.stepObject(t, v.(*Object))
	}
}

// contents are the values in a container, one after another.
type contents struct {
	items []any
	pairs []Pair // of a dict, or of a set, which has keys only
	width int    // the number of values in each pair
}

func (c *contents) len() int { return len(c.items) + c.width*len(c.pairs) }

func (c *contents) at(i int) any {
	switch {
	case c.width == 0:
		return c.items[i]
	case c.width == 1:
		return c.pairs[i].Key
	case i%2 == 0:
		return c.pairs[i/2].Key
	}
	return c.pairs[i/2].Value
}

// each writes the values up to end. It stops, and returns false, at a value that takes more steps.
func (p *pickler) each(t *task, c contents, end int) (done bool, err error) {
	depth := len(p.tasks)
	for i := t.at; i < end; i++ {
		t.at = i + 1
		if err := p.save(c.at(i)); err != nil {
			return false, err
		}
		if len(p.tasks) > depth { // t may have moved
			return false, nil
		}
	}
	return true, nil
}

// A filling says how values are put into a container.
type filling struct {
	one, many byte // the opcodes for one item, and for all items after a mark
	batch     int  // the number of values in a batch
	plain     bool // CPython has code of its own for lists, dicts and sets that are not subclasses; see single and fill
	trailing  bool // a full last batch is followed by an empty one
}

var (
	fillList        = filling{one: opcode.Append, many: opcode.Appends, batch: 1000, plain: true}
	fillDict        = filling{one: opcode.SetItem, many: opcode.SetItems, batch: 2000, plain: true, trailing: true}
	fillSet         = filling{one: opcode.AddItems, many: opcode.AddItems, batch: 1000, plain: true, trailing: true}
	fillObject      = filling{one: opcode.Append, many: opcode.Appends, batch: 1000}
	fillObjectPairs = filling{one: opcode.SetItem, many: opcode.SetItems, batch: 2000}
)

// single reports whether the batch that starts at a value is one item, without a mark. In a plain container only the
// first batch can be, and in a set none.
func (f *filling) single(start int, c *contents) bool {
	if f.batch == max(1, c.width) { // in protocol 0 every batch is
		return true
	}
	return f.one != f.many && c.len()-start == max(1, c.width) && (start == 0 || !f.plain)
}

// fill puts the contents into the container on top of Python's stack.
func (p *pickler) fill(t *task, c contents, f filling) error {
	n := c.len()
	if p.protocol == 0 {
		f = filling{one: f.one, many: f.many, batch: max(1, c.width)}
	}
	if t.at > 0 && (t.at%f.batch == 0 || t.at == n) {
		p.endBatch(t, &c, f) // the last value takes more steps
	}
	for t.at < n {
		start := t.at - t.at%f.batch
		if t.at == start && !f.single(start, &c) {
			p.out.Ops(opcode.Mark)
		}
		if done, err := p.each(t, c, min(n, start+f.batch)); !done {
			return err
		}
		p.endBatch(t, &c, f)
	}
	if f.trailing && n%f.batch == 0 {
		p.out.Ops(opcode.Mark, f.many)
	}
	p.leave()
	return nil
}

// endBatch puts the values after the last mark, or the single value, into the container.
func (p *pickler) endBatch(t *task, c *contents, f filling) {
	start := (t.at - 1) / f.batch * f.batch
	if f.single(start, c) {
		p.out.Ops(f.one)
	} else {
		p.out.Ops(f.many)
	}
}

// saveTuple begins a tuple.
func (p *pickler) saveTuple(v *Tuple, id encoder.Key) error {
	switch {
	case len(v.Items) == 0:
		p.out.Empty(opcode.EmptyTuple, opcode.Tuple)
		return nil
	case len(v.Items) > 3 || p.protocol < 2:
		p.out.Ops(opcode.Mark)
	}
	return p.enter(v, id)
}

// stepTuple writes the items of a tuple and ends it. If the tuple is memoised by then, it contains itself and one of
// its items has written it whole: Python drops the items and uses that tuple.
func (p *pickler) stepTuple(t *task, v *Tuple) error {
	n := len(v.Items)
	if done, err := p.each(t, contents{items: v.Items}, n); !done {
		return err
	}
	id := t.id
	p.leave()
	number, again := p.out.Find(id)
	switch {
	case again:
		p.out.Drop(n)
		p.out.Get(number)
		return nil
	case n > 3 || p.protocol < 2:
		p.out.Ops(opcode.Tuple)
	default:
		p.out.Ops(opcode.Tuple1 + byte(n-1))
	}
	p.out.Memoize(id)
	return nil
}

// stepFrozenSet is stepTuple for frozensets.
func (p *pickler) stepFrozenSet(t *task, v *FrozenSet) error {
	c := contents{pairs: v.set.elements.pairs, width: 1}
	if done, err := p.each(t, c, c.len()); !done {
		return err
	}
	id := t.id
	p.leave()
	if number, again := p.out.Find(id); again {
		p.out.Ops(opcode.PopMark)
		p.out.Get(number)
		return nil
	}
	p.out.Ops(opcode.FrozenSet)
	p.out.Memoize(id)
	return nil
}

// enterObject begins an object.
func (p *pickler) enterObject(o *Object, id encoder.Key) error {
	switch {
	case o.How == NewObjEx && p.protocol < 4:
		o = p.keep(partial(o))
	case o.How == NewObj && p.protocol < 2:
		o = p.keep(oldObject(o))
	}
	return p.enter(o, id)
}

// The stages of an object: the part to write next.
const (
	stageClass = iota
	stageArgs
	stageKwargs
	stageMake
	stageItems
	stagePairs
	stageState
	stageBuild
)

// stepObject writes the parts of an object up to a part that takes more steps.
func (p *pickler) stepObject(t *task, o *Object) error {
	depth := len(p.tasks)
	for len(p.tasks) == depth {
		stage := t.at
		t.at++
		if err := p.stage(t, o, stage); err != nil || stage == stageBuild {
			return err
		}
	}
	return nil
}

// stage writes one part of an object.
func (p *pickler) stage(t *task, o *Object, stage int) error {
	switch stage {
	case stageClass:
		if o.How == Instance {
			p.out.Ops(opcode.Mark)
			if p.protocol == 0 {
				return nil
			}
		}
		return p.save(o.Class)
	case stageArgs:
		args := cmp.Or(o.Args, noArgs)
		if o.How == Instance {
			p.push((*arguments)(args), len(args.Items))
			return nil
		}
		return p.save(args)
	case stageKwargs:
		if o.How == NewObjEx {
			return p.save(cmp.Or(o.Kwargs, &Dict{}))
		}
	case stageMake:
		return p.call(t, o)
	case stageItems:
		p.push((*objectItems)(o), len(o.Items))
	case stagePairs:
		p.push((*objectPairs)(o), len(o.Pairs))
	case stageState:
		if o.HasState {
			return p.save(o.State)
		}
	case stageBuild:
		if o.HasState {
			p.out.Ops(opcode.Build)
		}
		p.leave()
	}
	return nil
}

// call writes the call and memoises its result. If the result is memoised by then, it is in its own arguments, and was
// written whole there.
func (p *pickler) call(t *task, o *Object) error {
	if o.How == Instance && p.protocol == 0 {
		return p.instance(t, o)
	}
	p.out.Ops([]byte{Call: opcode.Reduce, NewObj: opcode.NewObj, NewObjEx: opcode.NewObjEx, Instance: opcode.Obj}[o.How])
	if number, again := p.out.Find(t.id); again {
		p.out.Ops(opcode.Pop)
		p.out.Get(number)
		p.leave()
		return nil
	}
	p.out.Memoize(t.id)
	return nil
}

// instance writes the call of an old-style class of Python 2 in protocol 0, after its arguments.
func (p *pickler) instance(t *task, o *Object) error {
	g, ok := o.Class.(*Global)
	if !ok {
		return fail(o, errInstance)
	}
	g, err := p.global(g)
	if err == nil {
		err = p.writeLines(opcode.Inst, g, Global{Module: g.Module, Name: g.Name})
	}
	if err == nil {
		p.out.Memoize(t.id)
	}
	return err
}

var errInstance = errors.New("its class has no name: set Encoder.Protocol to 1 or more")
