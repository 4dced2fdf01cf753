package answer

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/container/all"
	"github.com/npygo/npy/dtype"
)

// code answers "code": the command line, the Python and the Go that give the same part of an array. Expressions that
// cannot be written in one of them are left out.
func (a *Answers) code(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.selection(ctx, q, "", "yxc:")
	if err != nil {
		return err
	}
	defer s.done()
	tag, err := etag(q, s.states...)
	if err != nil {
		return err
	}
	c := codeOf{name: a.files[s.f].Name, path: s.open.Entries[s.e].Path, kind: s.open.Kind, part: q.Get("part"), where: q.Get("where"), sort: q.Get("sort")}
	c.packing = s.codePacking()
	if f := a.files[s.f]; len(f.Joined) > 0 {
		c.joined = f
	}
	if s.field != "" {
		c.fields = strings.Split(s.field, ".")
	}
	if minus := q.Get("minus"); minus != "" {
		f, e, _ := strings.Cut(minus, ".")
		other, err := a.target(ctx, s.beside(f, e, ""), false)
		if err != nil {
			return err
		}
		defer other.done()
		file := a.files[other.f]
		c.minus = &codeOf{name: file.Name, path: other.open.Entries[other.e].Path, kind: other.open.Kind, fields: c.fields, packing: other.codePacking()}
		if len(file.Joined) > 0 {
			c.minus.joined = file
		}
		switch t := s.src.DType(); {
		case q.Get("part") != "" || t.Kind() == dtype.KindComplex:
			c.minus.as = "complex"
		case t.Kind() == dtype.KindFloat:
			c.minus.as = "float"
		}
	}
	if isGrouped(q) {
		c.sort = ""
		c.group = "npy group"
		for _, flag := range [][2]string{{"by", "by"}, {"aggs", "agg"}, {"pivot", "pivot"}, {"order", "sort"}} {
			if text := q.Get(flag[0]); text != "" {
				c.group += " --" + flag[1] + "=" + shellQuote(text)
			}
		}
	}
	rows := c.where != "" || c.sort != "" || c.group != "" // which a window does not count
	for _, at := range s.at {
		switch at {
		case "mean", "max", "min", "sum":
			c.index = append(c.index, ":")
			c.project = append(c.project, projection{at, c.axes})
			c.axes++
			continue
		}
		if _, err := strconv.Atoi(at); err == nil {
			c.index = append(c.index, at)
			continue
		}
		text := ":"
		if !rows && (q.Has(at+"0") || q.Has(at+"1")) {
			if axis := map[string]int{"y": s.y, "x": s.x, "c": -1}[at]; axis >= 0 {
				low, high, err := s.span(q, at, axis)
				if err != nil {
					return err
				}
				if n := s.src.Shape()[axis]; low > 0 || high < n {
					text = fmt.Sprintf("%d:%d", low, high)
				}
			}
		}
		c.index = append(c.index, text)
		c.axes++
	}
	if c.minus != nil {
		c.minus.index = c.index
	}
	if points := q.Get("points"); points != "" {
		if c.after, err = s.linspace(points); err != nil {
			return err
		}
		return writeJSON(w, tag, map[string]string{"python": c.python()})
	}
	if q.Get("histogram") == "1" {
		if c.after, err = histogramCode(q, s.src.DType()); err != nil {
			return err
		}
	}
	return writeJSON(w, tag, map[string]string{"command": c.command(), "python": c.python(), "go": c.goText()})
}

// A codeOf is a part of an array that code is written for.
type codeOf struct {
	name, path, kind  string // of the file, of the array in it, of the file again
	fields            []string
	index             []string // as NumPy writes it, of each axis
	axes              int      // that the index leaves
	project           []projection
	part, where, sort string
	joined            *file                    // the files that are one array, if there are several
	minus             *codeOf                  // the array that is subtracted; nil for none
	packing           *packing                 // of elements that are unpacked; nil for elements as stored
	group             string                   // the command that puts its rows together; "" for none
	as                string                   // of a minus: the type that both arrays are subtracted as, "" for their own
	after             func(text string) string // what is made of the elements; nil for nothing
}

// A projection is along an axis that the index leaves.
type projection struct {
	how  string
	axis int
}

// lone reports whether the array is the whole file.
func (c codeOf) lone() bool { return c.path == "" }

// whole reports whether the index selects all elements.
func (c codeOf) whole() bool { return strings.Trim(strings.Join(c.index, ""), ":") == "" }

// format returns the format of the name if it is a file of this machine and nothing else: no address, no member, no index, no
// stream.
func (c codeOf) format() (f container.Format, local bool) {
	f, known := all.Formats().ForName(c.name)
	return f, known && !strings.Contains(c.name, "://")
}

func (c codeOf) command() string {
	if len(c.project) > 0 || c.part != "" || c.name == "-" || c.minus != nil {
		return ""
	}
	target := c.name
	if !c.lone() && !strings.HasSuffix(c.name, ":"+c.path) {
		target += ":" + c.path
	}
	brackets := ""
	for _, f := range c.fields {
		brackets += "[" + pythonString(f) + "]"
	}
	if !c.whole() {
		brackets += "[" + strings.Join(c.index, ",") + "]"
	}
	if c.packing != nil && (!c.packing.scaled || c.sort != "") {
		return ""
	}
	if strings.HasSuffix(c.name, "]") && brackets != "" {
		return "" // an index of an index
	}
	show := "npy show "
	if c.packing != nil {
		show += "--scale "
	}
	target = show + shellQuote(target+brackets)
	if c.joined != nil {
		if c.sort != "" {
			return ""
		}
		target = c.joined.joinedCommand(brackets)
	}
	by := ""
	if c.sort != "" && strings.Trim(c.sort, "-") != "x" {
		by = " --by " + shellQuote(c.sort)
	} else if c.sort == "-x" {
		by = " --reverse"
	}
	whole := target
	target = strings.TrimPrefix(target, "npy show ")
	switch {
	case c.group != "" && c.packing != nil, c.group != "" && c.joined != nil:
		return ""
	case c.group != "" && c.where != "":
		return c.group + " --where " + shellQuote(c.where) + " " + target
	case c.group != "":
		return c.group + " " + target
	case c.sort == "" && c.where == "":
		return whole
	case c.sort == "":
		return whole + " --where " + shellQuote(c.where)
	case c.where == "":
		return "npy sort" + by + " " + target
	}
	return "npy filter " + shellQuote(c.where) + " " + target + " - | npy sort" + by + " -"
}

// inPython has the functions of Python that open a file whose arrays are found by their names, by [container.Format.Name].
var inPython = map[string]string{"npz": "np.load", "HDF5": "h5py.File"}

func (c codeOf) python() string {
	text := c.pythonElements()
	if c.minus != nil {
		other := c.minus.pythonElements()
		switch {
		case text == "" || other == "":
			return ""
		case c.minus.as == "":
			text = "(" + text + " - " + other + ")"
		default: // unsigned integers and bools have no negative difference
			text = "np.subtract(" + text + ", " + other + ", dtype=" + c.minus.as + ")"
		}
	}
	if text == "" {
		return ""
	}
	switch c.part {
	case "re":
		text += ".real"
	case "im":
		text += ".imag"
	case "abs":
		text = "np.abs(" + text + ")"
	case "phase":
		text = "np.angle(" + text + ")"
	}
	for _, p := range slices.Backward(c.project) { // the last axis first, which leaves the numbers of the others
		text = fmt.Sprintf("np.nan%s(%s, axis=%d)", p.how, text, p.axis)
	}
	if c.after != nil {
		return c.after(text)
	}
	return text
}

// pythonElements returns the elements of the index, without parts and projections, or "".
func (c codeOf) pythonElements() string {
	var text string
	format, local := c.format()
	open := inPython[c.kind]
	switch {
	case c.where != "" || c.sort != "" || c.group != "":
		return ""
	case c.joined != nil:
		text, _ = c.joined.joinedCode()
	case c.lone() && local && format.Name == kindNPY:
		text = "np.load(" + pythonString(c.name) + ")"
	case open != "" && !c.lone() && local:
		text = open + "(" + pythonString(c.name) + ")[" + pythonString(c.path) + "]"
		if open == "h5py.File" && c.whole() && len(c.fields) == 0 {
			text += "[()]" // the elements, which h5py reads when it is told which
		}
	default:
		return ""
	}
	for _, f := range c.fields {
		text += "[" + pythonString(f) + "]"
	}
	if !c.whole() {
		text += "[" + strings.Join(c.index, ", ") + "]"
	}
	if c.packing != nil {
		return c.packing.python(text)
	}
	return text
}

func (c codeOf) goText() string {
	if c.part != "" || c.where != "" || c.sort != "" || c.minus != nil || c.group != "" {
		return ""
	}
	var text string
	format, local := c.format()
	switch {
	case c.joined != nil:
		_, text = c.joined.joinedCode()
	case c.lone() && local && format.Name == kindNPY:
		text = "src, err := npy.Open(" + strconv.Quote(c.name) + ")"
	case !c.lone() && local:
		text = "file, err := all.Open(" + strconv.Quote(c.name) + ")\nsrc, err := file.Source(" + strconv.Quote(c.path) + ")"
	default:
		return ""
	}
	if c.packing != nil {
		text += "\nattributes, err := file.Attributes(" + strconv.Quote(c.path) + ")\nsrc, _, err = netcdf.Masked(src, attributes)"
	}
	if c.whole() && len(c.fields) == 0 && len(c.project) == 0 {
		return text
	}
	var index []string
	for _, f := range c.fields {
		index = append(index, "npy.Named("+strconv.Quote(f)+")")
	}
	for _, at := range c.index {
		low, high, span := strings.Cut(at, ":")
		switch {
		case at == ":":
			index = append(index, "npy.All()")
		case span:
			index = append(index, "npy.Span("+low+", "+high+")")
		default:
			index = append(index, "npy.At("+at+")")
		}
	}
	text += "\npart, err := src.Select(" + strings.Join(index, ", ") + ")"
	for _, p := range slices.Backward(c.project) {
		field := map[string]string{"mean": "Mean", "max": "Max", "min": "Min", "sum": "Sum"}[p.how]
		text += fmt.Sprintf("\naxis%d, err := stats.AxisOf(ctx, part, %d)\npart = axis%d.%s", p.axis, p.axis, p.axis, field)
	}
	return text
}

func shellQuote(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/:=@%+,", r))
	}) < 0
	if plain && s != "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func pythonString(s string) string {
	return strconv.QuoteToASCII(s)
}
