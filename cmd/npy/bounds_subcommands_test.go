package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/npz"
)

// subcommandUses has the uses of each subcommand on a file. IN stands for the file, - for the same on standard input, SAME and
// OTHER for its copy and a copy with one bit changed, COPY for a copy that is changed in place, FOLDER for its folder, and OUT
// for the output. A subcommand without a file has one use.
var subcommandUses = map[string][]string{
	"info":      {"info IN", "info --json IN", "info IN:*1*", "info -"},
	"struct":    {"struct IN", "struct --lang c IN", "struct --lang python IN"},
	"show":      {"show IN", "show --full IN", "show --json IN", "show --image IN", "show IN:a1", "show IN[-1]", "show --where x==1 IN", "show -v IN", "show -"},
	"head":      {"head IN", "head -n 2 --json IN", "head -"},
	"tail":      {"tail IN", "tail -"},
	"plot":      {"plot -o OUT.png IN", "plot -o OUT.svg IN", "plot --kind hist -o OUT.png IN", "plot -o OUT.png -"},
	"stats":     {"stats IN", "stats --json --histogram=10 --quantiles 0.5 IN", "stats --axis 0 IN", "stats --unique IN", "stats IN[...,::2]", "stats -"},
	"diff":      {"diff IN SAME", "diff IN OTHER", "diff -o OUT.png IN SAME", "diff - SAME"},
	"convert":   {"convert IN OUT.npy", "convert IN OUT.npz", "convert IN OUT.h5", "convert IN OUT.nc", "convert IN OUT.mat", "convert IN OUT.csv", "convert IN OUT.txt", "convert IN OUT.json", "convert IN OUT.ndjson", "convert IN OUT.md", "convert IN OUT.tex", "convert IN OUT.png", "convert IN OUT.raw", "convert IN OUT.npy.gz", "convert IN[0] OUT.npy", "convert --order F IN OUT.npy", "convert --from raw IN OUT.npy", "convert --from csv - OUT.npy", "convert - OUT.npy"},
	"verify":    {"verify IN", "verify --json IN", "verify -"},
	"pickle":    {"pickle IN", "pickle --dis IN", "pickle --json IN", "pickle -"},
	"append":    {"append COPY IN"},
	"concat":    {"concat OUT.npy IN IN"},
	"manifest":  {"manifest IN SAME -o FOLDER/m.npy.json"},
	"refs":      {"refs IN -o OUT.json"},
	"repair":    {"repair IN OUT.npy", "repair IN OUT.npz"},
	"create":    {"create --shape 1000000 OUT.npy"},
	"cast":      {"cast U5 IN OUT.npy", "cast --casting unsafe f4 IN OUT.npy"},
	"reshape":   {"reshape -1,1 IN OUT.npy"},
	"transpose": {"transpose IN OUT.npy"},
	"fields":    {"fields --drop f1,a IN OUT.npy"},
	"split":     {"split --rows 1 IN OUT.npz", "split --parts 3 IN OUT-%d.npy"},
	"filter":    {"filter x==0 IN OUT.npy", "filter row<3 IN OUT.csv"},
	"sort":      {"sort IN OUT.npy", "sort --by 0 IN", "sort --axis -1 IN OUT.npy", "sort --top 3 IN", "sort - OUT.npy"},
	"sample":    {"sample -n 5 IN", "sample -n 5 -"},
	"unique":    {"unique IN", "unique -"},
	"group":     {"group --by 0 IN"},
	"ls":        {"ls IN", "ls --json IN", "ls --tree IN", "ls -"},
	"pack":      {"pack OUT.npz IN", "pack OUT.h5 IN", "pack OUT.npz -"},
	"unpack":    {"unpack -q -C OUT IN"},
	"rezip":     {"rezip IN OUT.npz"},
	"rm":        {"rm COPY *1*"},
	"mv":        {"mv COPY a1 b"},
	"cp":        {"cp IN OUT.copy"},
	"uploads":   {"uploads IN"},
	"view":      {"view --export OUT IN"},

	"completion": {"completion bash"},
	"man":        {"man OUT"},
}

// Every subcommand has its row, and the row runs it.
func TestBoundsHaveSubcommands(t *testing.T) {
	var names []string
	for _, c := range commands {
		names = append(names, c(newApp(nil, nil, nil)).Name())
	}
	for _, name := range names {
		if len(subcommandUses[name]) == 0 {
			t.Errorf("npy %s: its time and memory are not measured: add a row to subcommandUses", name)
		}
	}
	for name, uses := range subcommandUses {
		if !slices.Contains(names, name) {
			t.Errorf("there is no npy %s", name)
		}
		for _, use := range uses {
			if strings.Fields(use)[0] != name {
				t.Errorf("%q is no use of npy %s", use, name)
			}
		}
	}
}

// amplifiers are the ways in which a small input can cost much.
var amplifiers = []string{"ratio", "many", "overlap", "wide", "deep", "empty", "huge shape", "long"}

// readers returns the names of everything that the command reads, as its tables have them.
func readers(t *testing.T) []string {
	names := []string{"npy", "raw", "pickle", "manifest"}
	formats := input.Formats(nil, noDecoder, npz.Encoder{})
	for _, f := range formats {
		names = append(names, f.Name)
	}
	for m := range npz.Method(256) {
		if readsMethod(t, formats, m) {
			names = append(names, "npz "+m.String())
		}
	}
	for _, f := range convert.Standard() {
		if f.Read != nil {
			names = append(names, string(f.Format))
		}
	}
	for _, ending := range input.CompressedEndings() {
		names = append(names, ending)
	}
	return names
}

// readsMethod reports whether members compressed in a way can be read.
func readsMethod(t *testing.T, formats container.Formats, m npz.Method) bool {
	t.Helper()
	s := zipRaw([]zipMember{{name: "a.npy", method: uint16(m), packed: "xxxx", size: 4}})
	f, ok := formats.Of(strings.NewReader(s), int64(len(s)))
	if !ok {
		t.Fatal("an archive is not one")
	}
	c, err := f.Open(strings.NewReader(s), int64(len(s)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Source("a")
	return err == nil || !strings.Contains(err.Error(), "compression method")
}

// Every reader has an input for every way in which it can be made to cost much, or a reason why there is none.
func TestBoundsHaveReaders(t *testing.T) {
	known := map[string]bool{}
	for _, g := range growings {
		known[g.name] = true
	}
	names := readers(t)
	for _, reader := range names {
		for _, amplifier := range amplifiers {
			cell := boundsMatrix[reader][amplifier]
			if cell == "" {
				t.Errorf("reader %s: no input for %q: add one to boundsMatrix", reader, amplifier)
			}
			if strings.HasPrefix(cell, "no: ") {
				continue
			}
			for _, name := range strings.Fields(cell) {
				if !known[name] {
					t.Errorf("reader %s, %s: there is no input %s", reader, amplifier, name)
				}
			}
		}
	}
	for reader, row := range boundsMatrix {
		if !slices.Contains(names, reader) {
			t.Errorf("there is no reader %s", reader)
		}
		for amplifier := range row {
			if !slices.Contains(amplifiers, amplifier) {
				t.Errorf("reader %s: %q is none of the amplifiers", reader, amplifier)
			}
		}
	}
}
