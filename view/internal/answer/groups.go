package answer

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query"
)

// The limits of groups.
const (
	groupsMemory = 64 << 20 // bytes of the groups while they are made
	groupsMax    = 1000     // of an answer
	resultsMax   = 200      // columns of an answer
)

// groups answers "groups": a table of the rows with equal keys, with results such as their number. Each of its rows has the condition
// that the rows of the group satisfy, where there is one.
func (a *Answers) groups(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.selection(ctx, q, "y", "yx")
	if err != nil {
		return err
	}
	defer s.done()
	tag, err := etag(q, s.states...)
	if err != nil {
		return err
	}
	groups, g, err := a.groupsOf(ctx, s, q)
	if err != nil {
		return err
	}
	return writeGroups(w, tag, s.src, groups, g)
}

// isGrouped reports whether a question is about groups of rows.
func isGrouped(q url.Values) bool { return q.Get("by") != "" || q.Get("aggs") != "" }

// groupsOf returns the groups that a question names.
func (a *Answers) groupsOf(ctx context.Context, s *selection, q url.Values) (*npy.Array, query.Group, error) {
	if s.y < 0 || s.x >= 0 && s.x < s.y {
		return nil, query.Group{}, wrong("rows along the first axis can be grouped, and others not")
	}
	g, order, err := groupOf(q)
	if err != nil {
		return nil, g, &Error{400, err}
	}
	where := q.Get("where")
	key := fmt.Sprintf("%s groups %q %q %q %q %q", s.key, where, q.Get("by"), q.Get("aggs"), q.Get("pivot"), q.Get("order"))
	v, err := a.kept.get(ctx, key, s.hold, func(ctx context.Context) (any, int64, error) {
		groups, err := grouped(ctx, working(ctx, s.src, 1), where, g, order)
		if err != nil && ctx.Err() == nil {
			err = &Error{400, err}
		}
		if err != nil {
			return nil, 0, err
		}
		return groups, int64(groups.Size()*groups.DType().ItemSize()) + 64, nil
	})
	if err != nil {
		return nil, g, err
	}
	return v.(*npy.Array), g, nil
}

// groupOf reads the parameters of groups.
func groupOf(q url.Values) (g query.Group, order []query.Key, err error) {
	g = query.Group{SkipNaN: true, Memory: groupsMemory}
	read := func(name string, parse func(text string) error) {
		if text := q.Get(name); text != "" && err == nil {
			err = parse(text)
		}
	}
	keys := func(to *[]query.Key) func(text string) error {
		return func(text string) (err error) { *to, err = query.ParseKeys(text); return err }
	}
	var pivot []query.Key
	read("by", keys(&g.By))
	read("order", keys(&order))
	read("pivot", keys(&pivot))
	read("aggs", func(text string) (err error) { g.Aggs, err = query.ParseAggs(text); return err })
	if len(pivot) > 1 {
		return g, nil, wrong("one field can become columns, and not %d", len(pivot))
	}
	if len(pivot) == 1 {
		g.Pivot = &pivot[0]
	}
	return g, order, err
}

func grouped(ctx context.Context, src npy.Source, where string, g query.Group, order []query.Key) (groups *npy.Array, err error) {
	if where != "" {
		if src, err = query.Filter(ctx, src, where); err != nil {
			return nil, err
		}
	}
	groups, err = g.Of(ctx, src)
	if err == nil && order != nil {
		groups, err = query.Sort{By: order}.Array(ctx, groups)
	}
	return groups, err
}

func writeGroups(w Writer, tag string, src npy.Source, groups *npy.Array, g query.Group) error {
	type column struct {
		Name string `json:"name"`
		Kind string `json:"kind"`
		Key  bool   `json:"key"`
	}
	fields := groups.DType().Fields()
	fields = fields[:min(len(fields), resultsMax)]
	n := min(groups.Len(), groupsMax, cellsMax/max(len(fields), 1))
	columns, rows, where := []column{}, make([][]string, n), make([][]string, n)
	for i, f := range fields {
		isKey := i < len(g.By)
		columns = append(columns, column{f.Name, kindOf(f.DType), isKey})
		values, err := groups.Field(f.Name)
		if err != nil {
			return err
		}
		text := texts(values, cellMax)
		for r := range n {
			value, short := text(r)
			rows[r] = append(rows[r], value)
			if isKey {
				where[r] = append(where[r], equals(g.By[i].Field, src, f.DType, value, short))
			}
		}
	}
	conditions := make([]string, n)
	for r, parts := range where {
		if !slices.Contains(parts, "") {
			conditions[r] = strings.Join(parts, " and ")
		}
	}
	return writeJSON(w, tag, map[string]any{"total": groups.Len(), "columns": columns, "rows": rows, "where": conditions})
}

// equals returns the condition of the rows whose key has a value with a text, or "" where there is none.
func equals(key string, src npy.Source, t dtype.Type, text string, short bool) string {
	operand := operandOf(key, src)
	if short || operand == "" {
		return ""
	}
	switch t.Kind() {
	case dtype.KindFloat:
		if text == "nan" {
			return "isnan(" + operand + ")"
		}
		return operand + " == " + text
	case dtype.KindBool, dtype.KindInt, dtype.KindUint:
		return operand + " == " + text
	case dtype.KindDatetime:
		if text == "NaT" {
			return "isnat(" + operand + ")"
		}
		return operand + " == " + pythonString(text)
	case dtype.KindStr:
		return operand + " == " + escapes.Replace(pythonString(text))
	}
	return ""
}

// escapes writes escapes of strconv that conditions do not have.
var escapes = strings.NewReplacer(`\\`, `\\`, `\v`, `\x0b`, `\f`, `\x0c`)

// operandOf returns a key as it stands in a condition, or "" if it cannot.
func operandOf(key string, src npy.Source) string {
	if !src.DType().IsStruct() {
		if _, err := strconv.Atoi(key); err == nil && len(src.Shape()) == 2 {
			return "x[:, " + key + "]"
		}
		if key == "" {
			return "x"
		}
		return "(" + key + ")"
	}
	if _, err := fieldOf(src, key); err != nil {
		return "(" + key + ")"
	}
	for _, r := range key {
		if r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			if strings.Contains(key, "`") {
				return ""
			}
			return "`" + key + "`"
		}
	}
	return key
}
