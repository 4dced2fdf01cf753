package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/npz"
)

// A reader is one way in which the command reads files.
type reader struct {
	name    string
	inputs  func(g growing) bool // reports whether it reads the input
	amplify bool                 // it decodes compressed data
}

// readers returns everything that the command reads, as its tables have it.
func readers(t *testing.T) []reader {
	all := []reader{
		{name: "npy", inputs: endsIn(".npy")},
		{name: "pickle", inputs: endsIn(".pkl")},
		{name: "manifest", inputs: endsIn(".npy.json")},
	}
	formats := input.Formats(nil, npy.Decoder{}, npz.Encoder{})
	for _, f := range formats {
		all = append(all, reader{f.Name, endsIn(f.Endings...), true})
	}
	for m := range npz.Method(256) {
		if m != npz.Store && readsMethod(t, formats, m) {
			all = append(all, reader{"npz " + m.String(), func(g growing) bool { return g.name == "b-"+strings.ToLower(m.String())+".npz" }, true})
		}
	}
	for _, f := range convert.Standard() {
		if f.Read != nil {
			all = append(all, reader{string(f.Format), endsIn("." + string(f.Format)), f.Format == "png"})
		}
	}
	for _, ending := range input.CompressedEndings() {
		all = append(all, reader{ending, endsIn(ending), true})
	}
	return all
}

func endsIn(endings ...string) func(g growing) bool {
	return func(g growing) bool {
		return slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(g.name, ending) })
	}
}

// readsMethod reports whether members compressed by method m can be read.
func readsMethod(t *testing.T, formats container.Formats, m npz.Method) bool {
	t.Helper()
	s := zipRaw([]zipMember{{name: "a.npy", method: uint16(m), packed: "xxxx", size: 4}})
	f, ok := formats.Of(strings.NewReader(s), int64(len(s)))
	if !ok {
		t.Fatal("an archive is not recognised")
	}
	c, err := f.Open(strings.NewReader(s), int64(len(s)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Source("a")
	return !errors.Is(err, errors.ErrUnsupported)
}

// Every reader has inputs that grow, and an input of a high ratio if it decodes compressed data.
func TestBoundsReaders(t *testing.T) {
	names := map[string]bool{}
	for _, g := range growings {
		if names[g.name] {
			t.Errorf("two inputs are called %s", g.name)
		}
		names[g.name] = true
	}
	for _, r := range readers(t) {
		if !slices.ContainsFunc(growings, r.inputs) {
			t.Errorf("reader %s has no input: add one to growings", r.name)
		}
		if r.amplify && !slices.ContainsFunc(growings, func(g growing) bool { return g.isBomb() && r.inputs(g) }) {
			t.Errorf("reader %s has no input of a high ratio: add one to growingBombs", r.name)
		}
	}
}
