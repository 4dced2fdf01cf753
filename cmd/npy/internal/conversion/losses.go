package conversion

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/objects"
)

// lose reports the properties of an array that text, a picture or an .npy file cannot hold.
func (o Output) lose(t dtype.Type, shape []int, part Part) {
	for _, what := range o.Formats.Losses(o.Format, t, shape) {
		o.Options.Lose(container.Loss{Path: part.Path, What: what})
	}
	part.FortranOrder = false // formats report it
	has := container.Charsets // of text
	if o.Format == NPY || o.Format == Raw {
		has = 0
	}
	o.Options.Lose(container.LossesOf(part.Entry, part.Attributes, has)...)
}

// warnLosses reports the properties of an array that Out cannot hold, on one line.
func (x Job) warnLosses(src npy.Source, losses LossList) {
	if a, ok := src.(*npy.Array); ok && x.NumPy == 1 && objects.StringTypeOf(a) != nil {
		losses.Add(container.Loss{What: "StringDType, which NumPy 1 does not have: the elements are objects"})
	}
	if lines := losses.Texts(); len(lines) > 0 {
		x.notKept(strings.Join(lines, "; "))
	}
}

// notKept prints the properties that the output format cannot hold.
func (x Job) notKept(what string) {
	if !x.Quiet {
		x.Opener.Tell("%s: not kept: %s", x.outName(), what)
	}
}

// outName returns the name of Out for messages.
func (x Job) outName() string { return cmp.Or(x.name, diagnose.OutName(x.Out)) }

// A LossList collects the losses of several arrays, so that each kind of loss is reported once.
type LossList struct {
	kinds []string
	of    map[string][]container.Loss
}

// Add adds a loss: Lost of container.WriteOptions.
func (l *LossList) Add(loss container.Loss) {
	if l.of == nil {
		l.of = map[string][]container.Loss{}
	}
	if l.of[loss.What] == nil {
		l.kinds = append(l.kinds, loss.What)
	}
	l.of[loss.What] = append(l.of[loss.What], loss)
}

// Texts returns the losses of one array.
func (l *LossList) Texts() []string {
	var texts []string
	for _, what := range l.kinds {
		texts = append(texts, l.of[what][0].String())
	}
	return texts
}

// Lines returns a text for each kind of loss, with the paths.
func (l *LossList) Lines() []string {
	const most = 3
	var lines []string
	for _, what := range l.kinds {
		losses := l.of[what]
		var paths []string
		for _, loss := range losses {
			if path := cmp.Or(loss.Path, "the file"); !slices.Contains(paths[max(len(paths)-most, 0):], path) {
				paths = append(paths, path)
			}
		}
		switch n := len(paths); {
		case n == 1:
			lines = append(lines, fmt.Sprintf("%s of %s", losses[0], paths[0]))
		case n <= most:
			lines = append(lines, fmt.Sprintf("%s of %s", what, strings.Join(paths, ", ")))
		default:
			lines = append(lines, fmt.Sprintf("%s of %s and %s", what, strings.Join(paths[:most-1], ", "), diagnose.Counted(n-most+1, "other")))
		}
	}
	return lines
}
