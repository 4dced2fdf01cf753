package objects

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/pickle"
)

// A generation has the properties of all pickles of one major version of NumPy: the protocol, and the modules of
// classes and functions.
type generation struct {
	version, protocol               int
	reconstruct, scalar, stringType *pickle.Global
}

// cores are the names of the package with NumPy's own functions.
var cores = [...]string{"numpy.core", "numpy._core"}

var generations = [...]*generation{newGeneration(cores[0], 1, 3), newGeneration(cores[1], 2, 4)}

func newGeneration(core string, version, protocol int) *generation {
	return &generation{
		version: version, protocol: protocol,
		reconstruct: &pickle.Global{Module: core + ".multiarray", Name: "_reconstruct"},
		scalar:      &pickle.Global{Module: core + ".multiarray", Name: "scalar"},
		stringType:  &pickle.Global{Module: core + "._internal", Name: "_convert_to_stringdtype_kwargs"},
	}
}

// generationOf returns the generation in which a value was written, nil if it was made in Go or does not show one.
func generationOf(v any) *generation {
	switch v := v.(type) {
	case *npy.Array:
		o := originOf(v)
		switch {
		case o == nil:
		case o.gen != nil:
			return o.gen
		case o.made != nil:
			return generationOfCall(o.made)
		}
	case *Scalar:
		return generationOfCall(v.made)
	}
	return nil
}

// generationOfCall returns the generation shown by the name of a function.
func generationOfCall(made *pickle.Object) *generation {
	if made == nil {
		return nil
	}
	if g, ok := made.Class.(*pickle.Global); ok {
		for i, core := range cores {
			if strings.HasPrefix(g.Module, core) {
				return generations[i]
			}
		}
	}
	return nil
}

// in returns a global of NumPy under its name in the generation.
func (gen *generation) in(g *pickle.Global) *pickle.Global {
	if !strings.HasPrefix(g.Module, "numpy") {
		return g
	}
	to := gen.version - 1
	from := 1 - to
	if functionOf(g) == makeArray && strings.HasPrefix(g.Module, cores[from]) {
		return gen.reconstruct // it had another module before NumPy 1.0
	}
	for _, pair := range movedNames {
		if g.Module == pair[from].Module && g.Name == pair[from].Name {
			return &pair[to]
		}
	}
	for _, pair := range movedModules {
		if rest, ok := strings.CutPrefix(g.Module, pair[from]); ok && (rest == "" || rest[0] == '.') {
			return &pickle.Global{Module: pair[to] + rest, Name: g.Name}
		}
	}
	return g
}

// movedNames are the names with another module in NumPy 1 than in NumPy 2. They take precedence over movedModules.
var movedNames = [...][2]pickle.Global{
	{{Module: "numpy", Name: "bool_"}, {Module: "numpy", Name: "bool"}},
	{{Module: "numpy", Name: "recarray"}, {Module: "numpy.rec", Name: "recarray"}},
	{{Module: "numpy", Name: "format_parser"}, {Module: "numpy.rec", Name: "format_parser"}},
	{{Module: "numpy", Name: "chararray"}, {Module: "numpy.char", Name: "chararray"}},
	{{Module: "numpy", Name: "DataSource"}, {Module: "numpy.lib.npyio", Name: "DataSource"}},
	{{Module: "numpy.ma.core", Name: "MaskedArray"}, {Module: "numpy.ma", Name: "MaskedArray"}},
	{{Module: "numpy.lib.arrayterator", Name: "Arrayterator"}, {Module: "numpy.lib", Name: "Arrayterator"}},
	{{Module: "numpy.lib._version", Name: "NumpyVersion"}, {Module: "numpy.lib", Name: "NumpyVersion"}},
	{{Module: "numpy", Name: "AxisError"}, {Module: "numpy.exceptions", Name: "AxisError"}},
	{{Module: "numpy", Name: "ComplexWarning"}, {Module: "numpy.exceptions", Name: "ComplexWarning"}},
	{{Module: "numpy", Name: "ModuleDeprecationWarning"}, {Module: "numpy.exceptions", Name: "ModuleDeprecationWarning"}},
	{{Module: "numpy", Name: "RankWarning"}, {Module: "numpy.exceptions", Name: "RankWarning"}},
	{{Module: "numpy", Name: "TooHardError"}, {Module: "numpy.exceptions", Name: "TooHardError"}},
	{{Module: "numpy", Name: "VisibleDeprecationWarning"}, {Module: "numpy.exceptions", Name: "VisibleDeprecationWarning"}},
}

// movedModules are the modules with different names, and all modules below them.
var movedModules = [...][2]string{
	{"numpy.core.records", "numpy.rec"},
	{"numpy.core.defchararray", "numpy.char"},
	{"numpy.core", "numpy._core"},
	{"numpy.linalg.linalg", "numpy.linalg._linalg"},
	{"numpy.fft.helper", "numpy.fft._helper"},
	{"numpy.lib.arraypad", "numpy.lib._arraypad_impl"},
	{"numpy.lib.arraysetops", "numpy.lib._arraysetops_impl"},
	{"numpy.lib.function_base", "numpy.lib._function_base_impl"},
	{"numpy.lib.histograms", "numpy.lib._histograms_impl"},
	{"numpy.lib.index_tricks", "numpy.lib._index_tricks_impl"},
	{"numpy.lib.nanfunctions", "numpy.lib._nanfunctions_impl"},
	{"numpy.lib.polynomial", "numpy.lib._polynomial_impl"},
	{"numpy.lib.shape_base", "numpy.lib._shape_base_impl"},
	{"numpy.lib.twodim_base", "numpy.lib._twodim_base_impl"},
	{"numpy.lib.type_check", "numpy.lib._type_check_impl"},
	{"numpy.lib.ufunclike", "numpy.lib._ufunclike_impl"},
	{"numpy.lib.utils", "numpy.lib._utils_impl"},
}

//go:embed numpy1.txt
var numpy1Text string

// numpy1Names holds the names of NumPy 1.24 to which pickles refer, as listed by testdata/numpy1.py: a module and its
// names, continued in indented lines.
var numpy1Names = sync.OnceValue(func() map[pickle.Global]bool {
	names, module := map[pickle.Global]bool{}, ""
	for line := range strings.Lines(numpy1Text) {
		words := strings.Fields(line)
		if line[0] != ' ' {
			module, words = words[0], words[1:]
		}
		for _, name := range words {
			names[pickle.Global{Module: module, Name: name}] = true
		}
	}
	return names
})

// changed are names of both versions whose arguments or state NumPy 1 cannot read if NumPy 2 wrote them.
var changed = map[string]bool{
	"numpy errstate":                                             true,
	"numpy.random._pickle __generator_ctor":                      true,
	"numpy.random._pickle __bit_generator_ctor":                  true,
	"numpy.random._pickle __randomstate_ctor":                    true,
	"numpy.random.bit_generator __pyx_unpickle_SeedSequence":     true,
	"numpy.random.bit_generator __pyx_unpickle_SeedlessSequence": true,
}

// rename returns the global to write in this pickle's generation.
func (w *writer) rename(g *pickle.Global) (*pickle.Global, error) {
	to := w.gen.in(g)
	if w.check && (to.Module == "numpy" || strings.HasPrefix(to.Module, "numpy.")) {
		first, _, _ := strings.Cut(to.Name, ".")
		if changed[to.Module+" "+to.Name] || !numpy1Names()[pickle.Global{Module: to.Module, Name: first}] {
			return nil, fmt.Errorf("NumPy 1 does not load %s.%s; write it for NumPy 2, or leave it out", g.Module, g.Name)
		}
	}
	return to, nil
}

// The positions of the items that differ in the state of a dtype (arraydescr_reduce).
const (
	stateAlignment = 6
	stateFlags     = 7
	stateMetadata  = 8
)

// inGeneration returns the state of a dtype in the generation. NumPy 1 keeps the flags in a char, and writes an empty
// dict for the metadata of a time where NumPy 2 writes None.
func (gen *generation) inGeneration(d *DType, state any) any {
	items, ok := tupleOf(state, stateFlags+1, stateMetadata+1)
	if !ok {
		return state
	}
	changed := append([]any(nil), items...)
	if flags, ok := items[stateFlags].(int64); ok {
		switch {
		case gen.version == 1 && flags >= 128 && flags < 256:
			changed[stateFlags] = flags - 256
		case gen.version == 2 && flags < 0 && flags >= -128:
			changed[stateFlags] = flags + 256
		default:
			ok = false
		}
		if ok {
			state = &pickle.Tuple{Items: changed}
		}
	}
	if kind := d.Type.Kind(); len(items) <= stateMetadata || kind != dtype.KindDatetime && kind != dtype.KindTimedelta {
		return state
	}
	pair, ok := tupleOf(items[stateMetadata], 2, 2)
	if !ok {
		return state
	}
	dict, isDict := pair[0].(*pickle.Dict)
	switch {
	case gen.version == 1 && pair[0] == nil:
		changed[stateMetadata] = tuple(new(pickle.Dict), pair[1])
	case gen.version == 2 && isDict && dict.Len() == 0:
		changed[stateMetadata] = tuple(nil, pair[1])
	default:
		return state
	}
	return &pickle.Tuple{Items: changed}
}
