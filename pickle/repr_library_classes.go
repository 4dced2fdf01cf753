package pickle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy/internal/pylit"
)

// libraryClassReprs are other classes of the library.
func libraryClassReprs() map[string]libraryRepr {
	return map[string]libraryRepr{
		"re _compile":                  reprPattern,
		"pathlib PosixPath":            func(r *repr, x instance) bool { return r.path(x, "/") },
		"pathlib PurePosixPath":        func(r *repr, x instance) bool { return r.path(x, "/") },
		"pathlib WindowsPath":          func(r *repr, x instance) bool { return r.path(x, `\`) },
		"pathlib PureWindowsPath":      func(r *repr, x instance) bool { return r.path(x, `\`) },
		"pathlib._local PosixPath":     func(r *repr, x instance) bool { return r.path(x, "/") }, // Python 3.13
		"pathlib._local PurePosixPath": func(r *repr, x instance) bool { return r.path(x, "/") },
		"decimal Context":              reprDecimalContext,
		"functools partial":            reprPartial,
		"subprocess CompletedProcess":  reprCompleted,
		"email.headerregistry Address": reprAddress,
		"statistics NormalDist":        reprNormal,
		"plistlib UID":                 func(r *repr, x instance) bool { return len(x.args) == 1 && r.plainCall("UID", x.args) },
		"inspect Parameter":            reprParameter,
		"inspect Signature":            reprSignature,
		"logging LogRecord":            reprLogRecord,
		"http.cookies Morsel":          reprMorsel,
		"http.cookies SimpleCookie":    reprCookie,
		"zipfile ZipInfo":              reprZipInfo,
		"_ctypes _unpickle":            reprCType,
		"json.decoder JSONDecodeError": reprJSONError,
	}
}

// reprPattern prints re.compile('a', re.IGNORECASE): the pattern, and its flags.
func reprPattern(r *repr, x instance) bool {
	if len(x.args) != 2 {
		return false
	}
	flags, ok := x.args[1].(int64)
	pattern, isText := x.args[0].(string)
	raw, isBytes := x.args[0].([]byte)
	if !ok || !isText && !isBytes {
		return false
	}
	const unicode, known = 32, 0x1ff &^ 1
	if isText && flags&(4|unicode|256) == unicode {
		flags &^= unicode
	}
	text := pylit.AppendRepr(nil, pattern[:min(len(pattern), patternMax)])
	if isBytes {
		text = pylit.AppendBytesRepr(nil, string(raw[:min(len(raw), patternMax)]))
	}
	r.text("re.compile(" + firstChars(string(text), 200))
	separator := ", "
	for _, f := range patternFlags {
		if flags&f.bit != 0 {
			r.text(separator + "re." + f.name)
			separator = "|"
		}
	}
	if rest := flags &^ known; rest != 0 {
		r.text(fmt.Sprintf("%s0x%x", separator, rest))
	}
	r.text(")")
	return true
}

// patternMax is the number of bytes of a pattern that are examined; 200 characters of it are printed.
const patternMax = 1 << 11

// patternFlags are in the order in which Python prints them (pattern_repr).
var patternFlags = []struct {
	bit  int64
	name string
}{{1, "TEMPLATE"}, {2, "IGNORECASE"}, {4, "LOCALE"}, {8, "MULTILINE"}, {16, "DOTALL"}, {32, "UNICODE"}, {64, "VERBOSE"}, {128, "DEBUG"}, {256, "ASCII"}}

// firstChars returns the first n characters of a text.
func firstChars(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// path prints PosixPath('/a/b') from its parts.
func (r *repr) path(x instance, separator string) bool {
	var parts []string
	for i, left := 0, r.left(); i < len(x.args) && left >= 0; i++ {
		part, ok := x.args[i].(string)
		if !ok {
			return false
		}
		parts = append(parts, part)
		left -= len(part)
	}
	if len(parts) > 1 && (strings.HasSuffix(parts[0], separator) || strings.HasSuffix(parts[0], ":")) { // the drive and the root
		parts[1] = parts[0] + parts[1]
		parts = parts[1:]
	}
	text := strings.Join(parts, separator)
	if text == "" {
		text = "."
	}
	return r.plainCall(plainName(x.class), []any{strings.ReplaceAll(text, `\`, "/")})
}

// zoneInfo prints zoneinfo.ZoneInfo(key='UTC'), which is ZoneInfo._unpickle('UTC', True).
func (r *repr) zoneInfo(unpickle *Object, args []any) bool {
	x := instanceOf(unpickle)
	if x.class == nil || !x.class.Is("builtins", "getattr") || len(x.args) != 2 || x.args[1] != "_unpickle" {
		return false
	}
	class, ok := x.args[0].(*Global)
	if !ok || !class.Is("zoneinfo", "ZoneInfo") {
		return false
	}
	key, ok := first(args).(string)
	if ok {
		r.text("zoneinfo.ZoneInfo(key=")
		r.value(key)
		r.text(")")
	}
	return ok
}

// reprDecimalContext prints a decimal.Context of precision, rounding, exponents, capitals, clamp, flags and traps.
func reprDecimalContext(r *repr, x instance) bool {
	if len(x.args) != 8 {
		return false
	}
	rounding, ok := x.args[1].(string)
	if !ok {
		return false
	}
	r.text("Context(prec=")
	r.value(x.args[0])
	r.text(", rounding=")
	r.name(rounding)
	for i, name := range []string{"Emin", "Emax", "capitals", "clamp"} {
		r.text(", " + name + "=")
		r.value(x.args[2+i])
	}
	for i, name := range []string{"flags", "traps"} {
		list, ok := x.args[6+i].(*List)
		if !ok {
			return false
		}
		r.text(", " + name + "=[")
		for k, v := range list.Items {
			if r.full() {
				break
			}
			if k > 0 {
				r.text(", ")
			}
			if g, ok := v.(*Global); ok {
				r.name(plainName(g))
			}
		}
		r.text("]")
	}
	r.text(")")
	return true
}

// reprPartial prints functools.partial(f, 1, key=2) from its state.
func reprPartial(r *repr, x instance) bool {
	state, ok := x.State.(*Tuple)
	if !ok || len(state.Items) != 4 {
		return false
	}
	args, ok1 := state.Items[1].(*Tuple)
	kwargs, ok2 := state.Items[2].(*Dict)
	if !ok1 || !ok2 {
		return false
	}
	r.text("functools.partial(")
	r.value(state.Items[0])
	r.arguments(args.Items, kwargs)
	r.text(")")
	return true
}

// arguments prints further arguments.
func (r *repr) arguments(args []any, kwargs *Dict) {
	for _, v := range args {
		if r.full() {
			return
		}
		r.text(", ")
		r.value(v)
	}
	for _, pair := range kwargs.pairs {
		if r.full() {
			return
		}
		r.text(", ")
		r.keyword(pair)
	}
}

// method prints the result of calling the result of a call: a zone, or operator.methodcaller('f', 1, x=2), which is
// pickled as partial(methodcaller, 'f', x=2)(1).
func (r *repr) method(o *Object) bool {
	made, ok := o.Class.(*Object)
	if !ok || o.Args == nil {
		return false
	}
	if r.zoneInfo(made, o.Args.Items) {
		return true
	}
	state, ok := made.State.(*Tuple)
	if !ok || len(state.Items) != 4 {
		return false
	}
	f, ok1 := state.Items[0].(*Global)
	args, ok2 := state.Items[1].(*Tuple)
	kwargs, ok3 := state.Items[2].(*Dict)
	if !ok1 || !ok2 || !ok3 || !f.Is("operator", "methodcaller") || len(args.Items) != 1 {
		return false
	}
	r.text("operator.methodcaller(")
	r.value(args.Items[0])
	r.arguments(o.Args.Items, kwargs)
	r.text(")")
	return true
}

// reprCompleted prints CompletedProcess(args=['a'], returncode=0), and the output if there is any.
func reprCompleted(r *repr, x instance) bool {
	values, ok := x.attrs("args", "returncode", "stdout", "stderr")
	if !ok {
		return false
	}
	names := []string{"args", "returncode"}
	kept := values[:2:2]
	for i, name := range []string{"stdout", "stderr"} {
		if v := values[2+i]; v != nil {
			names, kept = append(names, name), append(kept, v)
		}
	}
	r.fields("CompletedProcess", names, kept)
	return true
}

func reprAddress(r *repr, x instance) bool {
	values, ok := x.attrs("_display_name", "_username", "_domain")
	if ok {
		r.fields("Address", []string{"display_name", "username", "domain"}, values)
	}
	return ok
}

// reprNormal prints NormalDist(mu=1.0, sigma=2.0).
func reprNormal(r *repr, x instance) bool {
	values, ok := x.attrs("_mu", "_sigma")
	if t, isTuple := x.State.(*Tuple); !ok && isTuple && len(t.Items) == 2 { // the order of its __getstate__
		values, ok = t.Items, true
	}
	if ok {
		r.fields("NormalDist", []string{"mu", "sigma"}, values)
	}
	return ok
}

// reprLogRecord prints <LogRecord: n, 10, p, 5, "msg">.
func reprLogRecord(r *repr, x instance) bool {
	values, ok := x.attrs("name", "levelno", "pathname", "lineno", "msg")
	if !ok {
		return false
	}
	r.text("<LogRecord: ")
	for i, v := range values {
		if i == len(values)-1 {
			r.text(`"`)
		}
		r.str(v)
		if i == len(values)-1 {
			r.text(`">`)
		} else {
			r.text(", ")
		}
	}
	return true
}

// str prints text unquoted, and other values by their repr.
func (r *repr) str(v any) {
	if s, ok := v.(string); ok {
		r.line(prefix(r, s))
		return
	}
	r.value(v)
}

// reprMorsel prints <Morsel: a=1; path=/>.
func reprMorsel(r *repr, x instance) bool {
	text, ok := morselText(x)
	if ok {
		r.text("<Morsel: ")
		r.line(prefix(r, text))
		r.text(">")
	}
	return ok
}

// morselText returns the text of a cookie without attributes.
func morselText(x instance) (string, bool) {
	values, ok := x.attrs("key", "coded_value")
	if !ok {
		return "", false
	}
	for _, pair := range x.pairs() {
		if pair.Value != "" {
			return "", false
		}
	}
	text := make([]string, 2)
	for i, v := range values {
		if text[i], ok = v.(string); !ok && v == nil {
			text[i] = "None"
		} else if !ok {
			return "", false
		}
	}
	return text[0] + "=" + text[1], true
}

// reprCookie prints <SimpleCookie: a='1'>.
func reprCookie(r *repr, x instance) bool {
	var all []Pair
	for _, pair := range x.pairs() {
		o, ok := pair.Value.(*Object)
		if !ok {
			return false
		}
		value, ok := instanceOf(o).attr("value")
		key, isText := pair.Key.(string)
		if !ok || !isText {
			return false
		}
		all = append(all, Pair{key, value})
	}
	slices.SortFunc(all, func(a, b Pair) int { return strings.Compare(a.Key.(string), b.Key.(string)) })
	r.text("<SimpleCookie:")
	for _, pair := range all {
		r.text(" ")
		r.line(prefix(r, pair.Key.(string)))
		r.text("=")
		r.value(pair.Value)
	}
	r.text(">")
	return true
}

// reprZipInfo prints <ZipInfo filename='a' file_size=0> for an uncompressed file.
func reprZipInfo(r *repr, x instance) bool {
	values, ok := x.attrs("filename", "file_size", "compress_type", "external_attr", "compress_size")
	if !ok {
		return false
	}
	size, ok := values[1].(int64)
	if !ok || values[2] != int64(0) || values[3] != int64(0) || values[4] != size {
		return false
	}
	r.text("<ZipInfo filename=")
	r.value(values[0])
	r.text(" file_size=")
	r.value(values[1])
	r.text(">")
	return true
}

// reprJSONError prints JSONDecodeError('m: line 1 column 2 (char 1)').
func reprJSONError(r *repr, x instance) bool {
	if len(x.args) != 3 {
		return false
	}
	message, ok1 := x.args[0].(string)
	text, ok2 := x.args[1].(string)
	at, ok3 := x.args[2].(int64)
	const most = 1 << 16 // the bytes in which lines are counted
	if !ok1 || !ok2 || !ok3 || at < 0 || len(text) > most {
		return false
	}
	before := firstChars(text, int(min(at, int64(len(text)))))
	line := strings.Count(before, "\n") + 1
	column := at - int64(len([]rune(before[:strings.LastIndexByte(before, '\n')+1]))) + 1
	return r.plainCall("JSONDecodeError", []any{fmt.Sprintf("%s: line %d column %d (char %d)", message, line, column, at)})
}
