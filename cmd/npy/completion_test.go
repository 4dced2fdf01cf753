//go:build linux

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/shell"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/npz"
)

// writeCompletable writes files whose names, members and fields have spaces, quotes and letters beyond ASCII.
func writeCompletable(t *testing.T, dir string) {
	t.Helper()
	one, err := npy.FromSlice([]float32{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	w, err := npz.Create(filepath.Join(dir, "model v2.npz"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"layer1/weights", "layer1/bias", "it's", "größe", "two words"} {
		if err := w.Add(name, one); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	record, err := dtype.Struct(-1, dtype.Field{Name: "mag", DType: dtype.Float32}, dtype.Field{Name: "place name", DType: dtype.Float32, Offset: 4})
	if err != nil {
		t.Fatal(err)
	}
	quakes, err := npy.New(record, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"runs", "my data"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, a := range map[string]*npy.Array{"quakes.npy": quakes, "runs/α.npy": one, "my data/x.npy": one, ".hidden.npy": one} {
		if err := npy.WriteFile(filepath.Join(dir, name), a); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
}

// Tab completes subcommands, flags, files, members and fields, whatever was typed before.
func TestCompletion(t *testing.T) {
	for _, kind := range []shell.Shell{shell.Bash, shell.Zsh, shell.Fish} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeCompletable(t, dir)
			s := startShell(t, kind, dir)
			for _, test := range []struct{ line, want, zsh, fish string }{ // zsh and fish as bash if empty
				{line: "npy inf", want: "npy info "},
				{line: "npy show --pre", want: "npy show --precision ", fish: "npy show --precision "},
				{line: "npy convert --order=", want: "npy convert --order="},
				{line: "npy show --as=bf", want: "npy show --as=bfloat16 "},
				{line: "npy show q", want: "npy show quakes.npy "},
				{line: "npy show 'q", want: "npy show 'quakes.npy' "},
				{line: "npy show no", want: "npy show notes.txt "},
				{line: "npy show .", want: "npy show .hidden.npy "},
				{line: "npy show ru", want: "npy show runs/"},
				{line: "npy show runs/", want: "npy show runs/α.npy "},
				{line: "npy show my", want: `npy show my\ data/`},
				{line: `npy show "my`, want: `npy show "my data/`},
				{line: `npy show "my data/`, want: `npy show "my data/x.npy" `},
				{line: "npy show mo", want: `npy show model\ v2.npz `},
				{line: `npy show model\ v2.npz:layer1/b`, want: `npy show model\ v2.npz:layer1/bias`, fish: `npy show model\ v2.npz:layer1/bias `},
				{line: `npy show "model v2.npz:tw`, want: `npy show "model v2.npz:two words"`, zsh: `npy show "model v2.npz:two words`, fish: `npy show "model v2.npz:two words" `},
				{line: `npy show 'model v2.npz:it`, want: `npy show 'model v2.npz:it'\''s'`, zsh: `npy show 'model v2.npz:it'\''s`, fish: `npy show 'model v2.npz:it\'s' `},
				{line: `npy show model\ v2.npz:g`, want: `npy show model\ v2.npz:größe`, fish: `npy show model\ v2.npz:größe `},
				{line: `npy show model\ v2.npz:l`, want: `npy show model\ v2.npz:layer1/`},
				{line: "npy unpack model\\ v2.npz tw", want: "npy unpack model\\ v2.npz two\\ words "},
				{line: `npy show quakes.npy["m`, want: `npy show quakes.npy["mag]"`, zsh: `npy show quakes.npy["m`, fish: `npy show quakes.npy\[mag\] `},
				{line: `npy show "quakes.npy[p`, want: `npy show "quakes.npy[p`},
				{line: `npy show "quakes.npy['p`, want: `npy show "quakes.npy['place name']"`, zsh: `npy show "quakes.npy['place name']`, fish: `npy show "quakes.npy['place name']" `},
				{line: `npy show quakes.npy["p`, want: `npy show quakes.npy["'place name']"`, zsh: `npy show quakes.npy["p`, fish: `npy show quakes.npy["p`},
				{line: "npy show ~/" + "up", want: "npy show ~/upper.npy "},
				{line: "npy show ~/m.npz:w", want: "npy show ~/m.npz:w1", fish: "npy show ~/m.npz:w1 "},
				{line: "npy show $NPY_HERE/q", want: "npy show $NPY_HERE/quakes.npy ", fish: "npy show $NPY_HERE/quakes.npy "},
				{line: `npy show "$NPY_HERE/model v2.npz:g`, want: `npy show "$NPY_HERE/model v2.npz:größe"`, zsh: "-", fish: `npy show "$NPY_HERE/model v2.npz:größe" `},
				{line: "npy info a.npy >no", want: "npy info a.npy >notes.txt "},
				{line: "npy info https://ex", want: "npy info https://ex"},
				{line: "npy sort quakes.npy --by m", want: "npy sort quakes.npy --by mag", fish: "npy sort quakes.npy --by mag "},
				{line: "npy sort quakes.npy --by=mag,-p", want: `npy sort quakes.npy --by=mag,-place\ name`, fish: `npy sort quakes.npy --by=mag,-place\ name `},
				{line: "npy show quakes.npy --where 'mag > 2 and p", want: "npy show quakes.npy --where 'mag > 2 and p"},
				{line: "npy show quakes.npy --where 'mag > 2 and m", want: "npy show quakes.npy --where 'mag > 2 and mag'", zsh: "npy show quakes.npy --where 'mag > 2 and mag", fish: "npy show quakes.npy --where 'mag > 2 and mag' "},
				{line: "npy group quakes.npy --agg mean:m", want: "npy group quakes.npy --agg mean:mag", fish: "npy group quakes.npy --agg mean:mag "},
				{line: "npy sort --by m", want: "npy sort --by m"},
				{line: "npy nosuch ", want: "npy nosuch "},
			} {
				want := test.want
				if kind == shell.Zsh && test.zsh != "" {
					want = test.zsh
				}
				if want == "-" { // zsh expands variables before it completes
					continue
				}
				if kind == shell.Fish && test.fish != "" {
					want = test.fish
				}
				if got := s.tab(test.line, tabKey); got != want {
					t.Errorf("%s: %q completes to %q, want %q", kind, test.line, got, want)
				}
				s.clear()
			}
		})
	}
}

// A second Tab lists the candidates with their descriptions.
func TestCompletionList(t *testing.T) {
	dir := t.TempDir()
	writeCompletable(t, dir)
	for kind, want := range map[shell.Shell]string{
		shell.Bash: `layer1/weights +\(float32 \(<f4\) \(3,\)\)`, shell.Zsh: `\nlayer1/weights +layer1/bias +-- +float32 \(<f4\) \(3,\)`, shell.Fish: `weights +\(float32 \(<f4\) \(3,\)\)`,
	} {
		t.Run(string(kind), func(t *testing.T) {
			s := startShell(t, kind, dir)
			s.tab(`npy show model\ v2.npz:l`, tabKey+tabKey+tabKey)
			s.clear()
			s.enter("")
			if shown := escapes.ReplaceAllString(s.screen, ""); !regexp.MustCompile(want).MatchString(shown) {
				t.Errorf("%s lists %q, want a line with %s", kind, shown, want)
			}
			if strings.Contains(s.screen, "_npy") {
				t.Errorf("%s shows %q", kind, s.screen)
			}
		})
	}
}
