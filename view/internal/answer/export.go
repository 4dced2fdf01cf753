package answer

import (
	"context"
	"net/url"
	"path"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert"
)

// export answers "export": a window as a file of its own, .npy or .csv. With formulas=escape the text of a .csv is nothing that
// a spreadsheet runs.
func (a *Answers) export(ctx context.Context, q url.Values, w Writer) error {
	if q.Get("lines") != "" {
		src, done, err := a.linesOf(ctx, q)
		if err != nil {
			return err
		}
		defer done()
		return exported(ctx, q, w, src, "lines-seen")
	}
	s, err := a.selection(ctx, q, "", "yxc")
	if err != nil {
		return err
	}
	defer s.done()
	var src npy.Source
	if isGrouped(q) {
		if src, _, err = a.groupsOf(ctx, s, q); err != nil {
			return err
		}
	} else if q.Get("points") != "" {
		if src, _, err = s.along(ctx, q); err != nil {
			return err
		}
	} else if q.Get("where") != "" || q.Get("sort") != "" {
		t, err := a.tableOf(ctx, s, q)
		if err != nil {
			return err
		}
		y0, y1, err := clip(q, "y", t.rows)
		if err != nil {
			return err
		}
		rows, from := t.positions[y0:y1], s.src
		if t.x >= 0 {
			x0, x1, err := clip(q, "x", t.columns())
			if err == nil {
				from, err = from.Select(npy.All(), npy.Span(x0, x1))
			}
			if err != nil {
				return err
			}
		}
		size := max(from.DType().ItemSize(), 1)
		for _, d := range from.Shape()[1:] {
			size *= max(d, 1)
		}
		if len(rows) > (96<<20)/size {
			return wrong("the rows that were found take more than 96 MB: use 'npy filter'")
		}
		if src, err = npy.Take(ctx, from, rows); err != nil {
			return err
		}
	} else if src, _, err = s.window(q); err != nil {
		return err
	}
	name := exportName(a.files[s.f].Name, s.open.Entries[s.e].Path, s.field) + "-slice" // never the name of the file itself
	if q.Has("y0") || q.Has("x0") {
		name = strings.TrimSuffix(name, "slice") + "seen"
	}
	if isGrouped(q) {
		name = strings.TrimSuffix(strings.TrimSuffix(name, "slice"), "seen") + "groups"
	}
	return exported(ctx, q, w, src, name)
}

// exported writes src as the question wants it.
func exported(ctx context.Context, q url.Values, w Writer, src npy.Source, name string) error {
	formulas := q.Get("formulas")
	if formulas != "" && formulas != "escape" {
		return wrong("formulas is %q, and has to be escape", cut(formulas, 40))
	}
	switch as := q.Get("as"); as {
	case "npy":
		w.Head(Head{Type: "application/octet-stream", Filename: name + ".npy"})
		return npy.Copier{}.Write(ctx, w, src)
	case "csv":
		w.Head(Head{Type: "text/csv; charset=utf-8", Filename: name + ".csv"})
		return convert.Write(ctx, w, convert.CSV, src, convert.WriteOptions{EscapeFormulas: formulas != ""})
	default:
		return wrong("as is %q, and has to be npy or csv", cut(as, 40))
	}
}

// exportName returns a name for a file that is safe everywhere.
func exportName(parts ...string) string {
	var out []string
	for _, p := range parts {
		p = strings.TrimSuffix(path.Base(strings.ReplaceAll(p, `\`, "/")), path.Ext(p))
		p = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
				return r
			}
			return '_'
		}, p)
		if p = strings.Trim(p, "_"); p != "" {
			out = append(out, cut(p, 60))
		}
	}
	if len(out) == 0 {
		return "array"
	}
	return strings.Join(out, "-")
}
