package conversion

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/objects"
)

// Losses returns what writing an array to the Output does not keep.
func (o Output) Losses(t dtype.Type, shape []int, part Part) []string {
	f, ok := o.Container()
	if !ok {
		lost := o.Formats.Losses(o.Format, t, shape)
		return append(lost, noAttributes.Losses(part.Entry, part.Attributes)...)
	}
	if f.Losses == nil {
		return nil
	}
	part.DType, part.Shape = t, shape
	return f.Losses(part.Entry, part.Attributes)
}

// noAttributes has the losses of formats with one array.
var noAttributes = container.NPY(npy.Decoder{}, npy.Encoder{})

// warnLosses reports what the output format cannot hold of an array. noted are losses of elements.
func (x Job) warnLosses(src npy.Source, part Part, noted []string) {
	t := src.DType()
	if x.casts() {
		t = x.DType
	}
	lost := x.output(x.Version).Losses(t, src.Shape(), part)
	if a, ok := src.(*npy.Array); ok && x.NumPy == 1 && objects.StringTypeOf(a) != nil {
		lost = append(lost, "StringDType, which NumPy 1 does not have: the elements are objects")
	}
	if lost = append(lost, noted...); len(lost) > 0 {
		x.notKept(strings.Join(lost, "; "))
	}
}

// notKept prints what the output format cannot hold.
func (x Job) notKept(what string) {
	if !x.Quiet {
		x.Opener.Tell("%s: not kept: %s", x.outName(), what)
	}
}

// outName returns the name of Out for messages.
func (x Job) outName() string { return cmp.Or(x.name, diagnose.OutName(x.Out)) }

// A LossList collects what is not kept of several arrays, so that each loss is told once.
type LossList struct {
	texts []string            // without what is particular to an array
	full  map[string]string   // the whole text of the first
	of    map[string][]string // paths
}

// Add adds the losses of an entry.
func (l *LossList) Add(path string, losses []string) {
	if l.full == nil {
		l.full, l.of = map[string]string{}, map[string][]string{}
	}
	for _, text := range losses {
		short := text
		for _, particular := range []string{" (", ", ", ` "`} {
			short, _, _ = strings.Cut(short, particular)
		}
		if path != "" {
			short = strings.TrimSpace(strings.ReplaceAll(short, path, ""))
		}
		if l.full[short] == "" {
			l.texts = append(l.texts, short)
			l.full[short] = text
		}
		l.of[short] = append(l.of[short], path)
	}
}

// Lines returns a text for each loss.
func (l *LossList) Lines() []string {
	const most = 3
	var lines []string
	for _, short := range l.texts {
		paths := l.of[short]
		for i, path := range paths {
			if path == "" {
				paths[i] = "the file"
			}
		}
		switch n := len(paths); {
		case n == 1 && strings.Contains(l.full[short], paths[0]):
			lines = append(lines, l.full[short])
		case n == 1:
			lines = append(lines, fmt.Sprintf("%s of %s", l.full[short], paths[0]))
		case n <= most:
			lines = append(lines, fmt.Sprintf("%s of %s", short, strings.Join(paths, ", ")))
		default:
			lines = append(lines, fmt.Sprintf("%s of %s and %s", short, strings.Join(paths[:most-1], ", "), diagnose.Counted(n-most+1, "other")))
		}
	}
	return lines
}
