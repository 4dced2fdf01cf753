//go:build linux && !race

package main

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// subcommandUses has the uses of subcommands on a file. A subcommand that is not listed is used as "NAME IN" and "NAME IN OUT.npy".
// IN is the file, - the same file as standard input, SAME its copy, OTHER a copy with one bit changed, COPY a copy that is changed in
// place, BESIDE a new file in its folder, and OUT the output.
var subcommandUses = map[string][]string{
	"info":      {"info IN", "info --json IN", "info IN:*1*", "info -"},
	"struct":    {"struct IN", "struct --lang c IN", "struct --lang python IN"},
	"show":      {"show IN", "show --full IN", "show --json IN", "show --image IN", "show IN:a1", "show IN[-1]", "show --where x==1 IN", "show -v IN", "show -"},
	"head":      {"head IN", "head -n 2 --json IN", "head -"},
	"tail":      {"tail IN", "tail -"},
	"plot":      {"plot -o OUT.png IN", "plot -o OUT.svg IN", "plot --kind hist -o OUT.png IN", "plot -o OUT.png -"},
	"stats":     {"stats IN", "stats --json --histogram=10 --quantiles 0.5 IN", "stats --axis 0 IN", "stats --unique IN", "stats IN[...,::2]", "stats -"},
	"diff":      {"diff IN SAME", "diff IN OTHER", "diff -o OUT.png IN SAME", "diff - SAME"},
	"convert":   {"convert IN OUT.npy", "convert IN OUT.npz", "convert IN OUT.h5", "convert IN OUT.nc", "convert IN OUT.mat", "convert IN OUT.csv", "convert IN OUT.txt", "convert IN OUT.json", "convert IN OUT.ndjson", "convert IN OUT.md", "convert IN OUT.tex", "convert IN OUT.png", "convert IN OUT.raw", "convert IN OUT.npy.gz", "convert IN[0] OUT.npy", "convert --order F IN OUT.npy", "convert --from raw --dtype u1 IN OUT.npy", "convert --from csv - OUT.npy", "convert - OUT.npy"},
	"verify":    {"verify IN", "verify --json IN", "verify -"},
	"pickle":    {"pickle IN", "pickle --dis IN", "pickle --json IN", "pickle -"},
	"append":    {"append COPY IN"},
	"concat":    {"concat OUT.npy IN IN"},
	"manifest":  {"manifest IN SAME -o BESIDE.npy.json"},
	"refs":      {"refs IN -o OUT.json"},
	"repair":    {"repair IN OUT.npy", "repair IN OUT.npz"},
	"create":    {"create --shape 1000000 OUT.npy"},
	"cast":      {"cast U5 IN OUT.npy", "cast --casting unsafe f4 IN OUT.npy"},
	"reshape":   {"reshape -1,1 IN OUT.npy"},
	"transpose": {"transpose IN OUT.npy"},
	"fields":    {"fields --drop a IN OUT.npy"},
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

// notOfFiles are subcommands that read no file, or none in a test, which is built without the page of view.
var notOfFiles = []string{"help", "uploads", "create", "completion", "man", "view"}

// A use is one way to use a subcommand.
type use struct{ subcommand, args string }

// uses returns the uses of all subcommands that the command has.
func uses() []use {
	var all []use
	for _, c := range newApp(nil, io.Discard, io.Discard).root(nil).Commands() {
		name := c.Name()
		if c.Run == nil && c.RunE == nil {
			continue // a topic of the help
		}
		lines := subcommandUses[name]
		if len(lines) == 0 {
			lines = []string{name + " IN", name + " IN OUT.npy"}
		}
		for _, line := range lines {
			all = append(all, use{name, line})
		}
	}
	return all
}

// Each use must be one that the command accepts: of a use that it refuses nothing is measured.
func TestBoundsUses(t *testing.T) {
	names := map[string]bool{}
	for _, u := range uses() {
		names[u.subcommand] = true
		if slices.Contains(notOfFiles, u.subcommand) {
			continue
		}
		if messages := refusals(t, u); len(messages) == len(usable) {
			t.Errorf("no input makes npy %s succeed: correct subcommandUses: %q", u.args, messages)
		}
	}
	for name, lines := range subcommandUses {
		if !names[name] {
			t.Errorf("there is no npy %s", name)
		}
		for _, line := range lines {
			if strings.Fields(line)[0] != name {
				t.Errorf("%q does not use npy %s", line, name)
			}
		}
	}
}

// usable are small inputs. Each use of a subcommand accepts at least one of them.
var usable = []growing{
	{"numbers.npy", 20, ordinary("'<f8'", 8)},
	{"matrix.npy", 3, func(n int) string { return plain("'|u1'", "(3, 3)", 9) }},
	{"records.npy", 4, ordinary("[('a', '<i4'), ('x', '<f8')]", 12)},
	{"members.npz", 20, func(n int) string {
		return zipOf(n, func(i int) (string, string) { return "a" + strings.Repeat("1", i) + ".npy", small })
	}},
	{"values.pkl", 3, func(n int) string { return "\x80\x03" + pickleList(strings.Repeat("N", n)) + "." }},
	{"rows.csv", 3, func(n int) string { return strings.Repeat("1,2\n", n) }},
	{"a.h5", 20, func(n int) string {
		return hdf5Bomb(func(n int) (shape, chunk []int) { return []int{n}, []int{n} })(n)
	}},
}

// refusals returns what the command says about the usable inputs that it does not accept.
func refusals(t *testing.T, u use) (messages []string) {
	t.Helper()
	for _, g := range usable {
		dir := t.TempDir()
		x := g.files(t, dir, g.n)
		x.use = u
		if c := x.measure(t, dir); c.code != 0 && c.message != "" {
			messages = append(messages, c.message)
		}
	}
	return messages
}
