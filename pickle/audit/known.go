package audit

import (
	"errors"
	"sync"
)

// The classes and functions of Python itself that pickles of its values need. A name that is missing here may be
// harmless. A new entry needs the arguments with which it neither calls them, nor reads attributes of them that a
// pickle can set, nor imports or opens anything, and a form for the driver in testdata/driver.py.

// knownAs returns the callable for a global of Python 3, or nil if it is not known.
func knownAs(module, name string) *callable { return knownTable()[module+" "+name] }

// knownTable holds all known callables, by module and name.
var knownTable = sync.OnceValue(func() map[string]*callable {
	table := map[string]*callable{}
	addPython(table)
	addNumPy(table)
	return table
})

// addAll adds the same callable for several names of a module.
func addAll(table map[string]*callable, c *callable, module string, names ...string) {
	for _, name := range names {
		table[module+" "+name] = c
	}
}

// addPython adds the callables of Python.
func addPython(table map[string]*callable) {
	add := func(module, name string, class class, call, create maker) {
		addAll(table, &callable{call, create, class}, module, name)
	}
	add("builtins", "bool", factory, upTo(1, isLeaf), nil)
	add("builtins", "bytearray", factory, newBuffer, nil)
	add("builtins", "bytes", factory, newBytes, nil)
	add("builtins", "complex", factory, upTo(2, isScalar), nil)
	add("builtins", "dict", factory, newDict, nil)
	add("builtins", "float", factory, upTo(1, isScalar), nil)
	add("builtins", "frozenset", factory, newFrozenSet, nil)
	add("builtins", "int", factory, upTo(1, isScalar), nil)
	add("builtins", "list", factory, newList, nil)
	add("builtins", "object", objectClass, upTo(0, nil), upTo(0, nil))
	add("builtins", "range", noClass, between(1, 3, isInt), nil)
	add("builtins", "set", factory, newSet, nil)
	add("builtins", "slice", noClass, newSlice, nil)
	add("builtins", "str", factory, upTo(1, isText), nil)
	add("builtins", "tuple", factory, newTupleOf, nil)
	addAll(table, &callable{}, "builtins", "Ellipsis", "NotImplemented")
	addAll(table, &callable{call: newException}, "builtins", exceptions...)
	addAll(table, &callable{call: of(exception, between(0, 5, isPlain))}, "builtins", readingExceptions...)
	add("_codecs", "encode", noClass, encode, nil)
	add("datetime", "date", noClass, between(1, 3, isLeaf), nil)
	add("datetime", "datetime", noClass, between(1, 8, isLeafOrZone), nil)
	add("datetime", "time", noClass, between(1, 5, isLeafOrZone), nil)
	add("datetime", "timedelta", noClass, of(delta, between(0, 3, isNumber)), nil)
	add("datetime", "timezone", noClass, newZone, nil)
	add("decimal", "Decimal", noClass, upTo(1, isScalar), nil)
	add("fractions", "Fraction", noClass, upTo(2, isScalar), nil)
	add("uuid", "UUID", uuidClass, between(1, 1, isText), of(uuidKind, upTo(0, nil)))
	add("uuid", "SafeUUID", noClass, between(1, 1, isSafe), nil)
	add("collections", "Counter", factory, newCounter, nil)
	add("collections", "OrderedDict", factory, newOrdered, nil)
	add("collections", "deque", factory, newDeque, nil)
	add("collections", "defaultdict", noClass, newDefault, nil)
	add("copyreg", "_reconstructor", noClass, reconstructor, nil)
	add("array", "array", pyArray, newPyArray, nil)
	add("array", "_array_reconstructor", noClass, arrayReconstructor, nil)
}

// exceptions are Python's exceptions that keep their arguments and do nothing with them.
var exceptions = []string{
	"ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BufferError", "BytesWarning",
	"DeprecationWarning", "EOFError", "Exception", "FloatingPointError", "FutureWarning", "GeneratorExit", "ImportError",
	"ImportWarning", "IndexError", "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError",
	"NameError", "NotImplementedError", "OverflowError", "PendingDeprecationWarning", "RecursionError", "ReferenceError",
	"ResourceWarning", "RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxWarning",
	"SystemError", "SystemExit", "TypeError", "UnboundLocalError", "UnicodeError", "UnicodeWarning", "UserWarning",
	"ValueError", "Warning", "ZeroDivisionError",
}

// readingExceptions look at their arguments: take their hashes, iterate over them, convert them to numbers.
var readingExceptions = []string{
	"BlockingIOError", "BrokenPipeError", "ChildProcessError", "ConnectionAbortedError", "ConnectionError",
	"ConnectionRefusedError", "ConnectionResetError", "EnvironmentError", "FileExistsError", "FileNotFoundError", "IOError",
	"IndentationError", "InterruptedError", "IsADirectoryError", "NotADirectoryError", "OSError", "PermissionError",
	"ProcessLookupError", "SyntaxError", "TabError", "TimeoutError", "UnicodeDecodeError", "UnicodeEncodeError",
	"UnicodeTranslateError",
}

// exceptionAttributes are the attributes that Python's exceptions have in their states. No other attribute may be set:
// NumPy looks for some, such as __array_interface__, in every value that it is given.
var exceptionAttributes = map[string]func(any) bool{
	"args":      func(v any) bool { _, ok := v.(*tuple); return ok },
	"name":      isLeaf,
	"name_from": isLeaf,
	"obj":       isLeaf,
	"path":      isLeaf,
}

var uuidAttributes = map[string]func(any) bool{
	"int":     isInt,
	"is_safe": func(v any) bool { return isSafe(v) || isData(v) },
}

// upTo returns a maker of data for at most n arguments that pass a check.
func upTo(n int, sort func(any) bool) maker { return between(0, n, sort) }

// between returns a maker of data for a number of arguments that pass a check.
func between(least, most int, sort func(any) bool) maker {
	return func(_ *tracer, args []any) (any, error) {
		if len(args) < least || len(args) > most || !all(args, sort) {
			return nil, errArguments
		}
		return &object{kind: data}, nil
	}
}

// of returns a maker whose results have a kind.
func of(k kind, make maker) maker {
	return func(t *tracer, args []any) (any, error) {
		v, err := make(t, args)
		if o, ok := v.(*object); ok {
			o.kind = k
		}
		return v, err
	}
}

func all(values []any, sort func(any) bool) bool {
	for _, v := range values {
		if !sort(v) {
			return false
		}
	}
	return true
}

// isScalar reports whether v is a number or text.
func isScalar(v any) bool { return isNumber(v) || isText(v) }

// isSafe reports whether v is a value of uuid.SafeUUID.
func isSafe(v any) bool { return v == nil || isInt(v) }

// isData reports whether v is data that a call made.
func isData(v any) bool {
	o, ok := v.(*object)
	return ok && o.kind == data
}

func isLeafOrZone(v any) bool {
	o, ok := v.(*object)
	return isLeaf(v) || ok && o.kind == zone
}

// newSlice makes data from data, and a container of other values, whose texts its own text includes.
func newSlice(_ *tracer, args []any) (any, error) {
	if len(args) == 0 || len(args) > 3 || !all(args, isPlain) {
		return nil, errArguments
	}
	for _, arg := range args {
		if !isLeaf(arg) && !isData(arg) {
			return &object{kind: holder}, nil
		}
	}
	return &object{kind: data}, nil
}

func newBuffer(_ *tracer, args []any) (any, error) {
	if len(args) == 0 {
		return &buffer{}, nil
	}
	n := sizeOf(args[0])
	if n < 0 || len(args) > 2 || len(args) == 2 && !isLatin1(args[1]) {
		return nil, errArguments
	}
	return &buffer{n}, nil
}

func isLatin1(v any) bool { return word(v) == "latin1" || word(v) == "latin-1" }

func newBytes(_ *tracer, args []any) (any, error) {
	switch {
	case len(args) == 0:
		return blob{}, nil
	case len(args) == 1 && isBytes(args[0]):
		return args[0], nil
	}
	return nil, errArguments
}

// encode is how protocols below 3 write bytes. Other encodings are looked up and imported.
func encode(_ *tracer, args []any) (any, error) {
	if len(args) != 2 || !isText(args[0]) || !isLatin1(args[1]) {
		return nil, errArguments
	}
	n := sizeOf(args[0])
	if n < 0 {
		return nil, errArguments
	}
	b := blob{n: n}
	if s := word(args[0]); n <= 16 {
		start := make([]byte, 0, n)
		for _, r := range s {
			start = append(start, byte(r))
		}
		b.start = string(start)
	}
	return b, nil
}

// sequence returns a copy of the items of the only argument, a list or tuple.
func sequence(t *tracer, args []any) ([]any, error) {
	if len(args) == 0 {
		return nil, nil
	}
	items, ok := itemsOf(args[0])
	if !ok || len(args) > 1 {
		return nil, errArguments
	}
	return append([]any(nil), items...), t.charge(2 * int64(len(items)))
}

func newDict(_ *tracer, args []any) (any, error) {
	if len(args) > 0 {
		return nil, errArguments
	}
	return &dict{}, nil
}

func newList(t *tracer, args []any) (any, error) {
	items, err := sequence(t, args)
	return &list{items: items}, err
}

func newTupleOf(t *tracer, args []any) (any, error) {
	items, err := sequence(t, args)
	return newTuple(items), err
}

func newSet(t *tracer, args []any) (any, error) {
	items, err := sequence(t, args)
	t.hash(items...)
	return &set{items: items}, err
}

func newFrozenSet(t *tracer, args []any) (any, error) {
	items, err := sequence(t, args)
	t.hash(items...)
	return &frozenSet{items, arePlain(items)}, err
}

func newException(_ *tracer, args []any) (any, error) {
	return &object{kind: exception}, nil
}

func newZone(_ *tracer, args []any) (any, error) {
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && !isText(args[1]) {
		return nil, errArguments
	}
	if o, ok := args[0].(*object); !ok || o.kind != delta {
		return nil, errArguments
	}
	return &object{kind: zone}, nil
}

// newCounter takes a dict, whose values it copies.
func newCounter(t *tracer, args []any) (any, error) {
	if len(args) == 0 {
		return &object{kind: mapping}, nil
	}
	d, ok := args[0].(*dict)
	if !ok || len(args) > 1 {
		return nil, errArguments
	}
	return &object{kind: mapping}, t.charge(int64(len(d.items)))
}

// newOrdered takes a list of pairs, as Python 2 wrote it.
func newOrdered(t *tracer, args []any) (any, error) {
	pairs, err := sequence(t, args)
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		kv, ok := itemsOf(p)
		if !ok || len(kv) != 2 {
			return nil, errArguments
		}
		t.hash(kv[0])
	}
	return &object{kind: mapping}, nil
}

func newDeque(t *tracer, args []any) (any, error) {
	if len(args) == 2 && (args[1] == nil || isInt(args[1])) {
		args = args[:1]
	}
	_, err := sequence(t, args)
	return &object{kind: deque}, err
}

// newDefault takes a factory, which makes missing values: when the program asks for them, not while the pickle is
// loaded.
func newDefault(_ *tracer, args []any) (any, error) {
	switch {
	case len(args) > 1:
		return nil, errArguments
	case len(args) == 1 && args[0] != nil && classOf(args[0]) != factory:
		return nil, errors.New("its factory is not known to make data only")
	}
	return &object{kind: mapping}, nil
}

// reconstructor is how protocols 0 and 1 make an instance of any class: base.__new__(class, state), and base.__init__.
func reconstructor(_ *tracer, args []any) (any, error) {
	if len(args) != 3 {
		return nil, errArguments
	}
	class, base := classOf(args[0]), classOf(args[1])
	switch {
	case base != objectClass || args[2] != nil:
		return nil, errors.New("its base is not builtins.object")
	case class == uuidClass:
		return &object{kind: uuidKind}, nil
	case class == objectClass:
		return &object{kind: data}, nil
	}
	return nil, errors.New("its class is not known to make data only")
}

// newPyArray takes the code of a type and a list of numbers, bytes or text.
func newPyArray(t *tracer, args []any) (any, error) {
	if len(args) == 0 || len(args) > 2 || len(word(args[0])) != 1 {
		return nil, errArguments
	}
	if len(args) == 1 || isBytes(args[1]) || isText(args[1]) {
		return &object{kind: data}, nil
	}
	l, ok := args[1].(*list)
	if !ok {
		return nil, errArguments
	}
	if err := t.charge(int64(len(l.items))); err != nil {
		return nil, err
	}
	if !all(l.items, isScalar) {
		return nil, errArguments
	}
	return &object{kind: data}, nil
}

// arrayReconstructor takes the class, the code of a type, the number of a format, and bytes.
func arrayReconstructor(_ *tracer, args []any) (any, error) {
	if len(args) != 4 || classOf(args[0]) != pyArray || len(word(args[1])) != 1 || !isInt(args[2]) || !isBytes(args[3]) {
		return nil, errArguments
	}
	return &object{kind: data}, nil
}
