package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"text/template"
	"time"
)

// printTable prints a line for each row.
func printTable(w io.Writer, r report) error {
	fmt.Fprintf(w, "%s\n%s, large arrays of %s, medians of %d rounds and their quartiles\n", r.Machine, r.Date.Format(time.DateOnly), sizeText(r.Size), r.Rounds)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	family := ""
	for _, m := range r.Rows {
		if m.Family != family {
			family = m.Family
			fmt.Fprintf(t, "\n%s\n", strings.Join(append([]string{strings.ToUpper(family), "npy", "quartiles", "NumPy", "quartiles", "ratio"}, append(peerNames, "limit")...), "\t"))
		}
		npy, numpy := m.Times[npyName], m.Times[numpyName]
		cells := []string{m.Name, npy.String(), npy.spread(), numpy.String(), numpy.spread(), m.RatioText()}
		for _, peer := range peerNames {
			cells = append(cells, m.Times[peer].String())
		}
		fmt.Fprintln(t, strings.Join(append(cells, m.LimitText()), "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if text := r.compression(); text != "" {
		fmt.Fprintf(w, "\n%s\n", text)
	}
	_, err := fmt.Fprintf(w, "\n%s\n", cmp.Or(r.noise(), "The machine was quiet."))
	return err
}

//go:embed performance.md.tmpl
var page string

// printMarkdown prints doc/performance.md.
func printMarkdown(w io.Writer, r report) error {
	t, err := template.New("performance.md").Parse(page)
	if err != nil {
		return err
	}
	type section struct {
		Name string
		Rows []measurement
	}
	var sections []section
	for _, m := range r.Rows {
		if len(sections) == 0 || sections[len(sections)-1].Name != m.Family {
			sections = append(sections, section{Name: m.Family})
		}
		last := &sections[len(sections)-1]
		last.Rows = append(last.Rows, m)
	}
	return t.Execute(w, map[string]any{
		"Machine": r.Machine, "Date": r.Date.Format("2 January 2006"), "Size": sizeText(r.Size), "Rounds": r.Rounds,
		"Noise": r.noise(), "Compression": r.compression(), "Sections": sections,
	})
}

// Time returns the median of a contender's times and, for npy and NumPy, the quartiles, or "" if it did not take
// part.
func (m measurement) Time(name string) string {
	t := m.Times[name]
	if t.Samples != nil && (name == npyName || name == numpyName) {
		return fmt.Sprintf("%s (%s)", t, t.spread())
	}
	return t.String()
}

// RatioText formats the ratio as 2.5x, or with one more digit, 0.80x, if NumPy is faster.
func (m measurement) RatioText() string {
	if share := m.sizeRatio(); share > 0 {
		return fmt.Sprintf("%s, %.1f %% of the size", m.speedText(), 100*share)
	}
	return m.speedText()
}

func (m measurement) speedText() string {
	switch {
	case m.Ratio == 0:
		return ""
	case m.Ratio < 1:
		return fmt.Sprintf("%.2fx", m.Ratio)
	}
	return fmt.Sprintf("%.1fx", m.Ratio)
}

// LimitText formats the least time of the machine, with one thread and with two.
func (m measurement) LimitText() string {
	one, two := m.Times[limitName(1)], m.Times[limitName(2)]
	switch {
	case m.Limit == "":
		return ""
	case two.Samples == nil:
		return fmt.Sprintf("%s, %s", one, m.Limit)
	}
	return fmt.Sprintf("%s / %s, %s", one, two, m.Limit)
}

// String returns the median, or "" for a contender that did not take part.
func (t timing) String() string {
	if t.Samples == nil {
		return ""
	}
	return timeText(t.Median)
}

func (t timing) spread() string {
	if t.Samples == nil {
		return ""
	}
	return timeText(t.Low) + "–" + timeText(t.High)
}

// timeText formats a time with two or three digits.
func timeText(d time.Duration) string {
	unit, name := time.Second, "s"
	switch {
	case d < time.Millisecond:
		unit, name = time.Microsecond, "µs"
	case d < time.Second:
		unit, name = time.Millisecond, "ms"
	}
	x := float64(d) / float64(unit)
	if x < 10 {
		return fmt.Sprintf("%.1f %s", x, name)
	}
	return fmt.Sprintf("%.0f %s", x, name)
}

// sizeText formats a number of bytes in the largest unit in which it is nearly a whole number.
func sizeText(n int64) string {
	unit, name := int64(1<<10), "KB"
	switch {
	case n >= 1<<30:
		unit, name = 1<<30, "GB"
	case n >= 1<<20:
		unit, name = 1<<20, "MB"
	}
	return fmt.Sprintf("%.4g %s", float64(n)/float64(unit), name)
}
