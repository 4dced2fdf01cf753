//go:build linux && !race

package main

import (
	"strings"
	"testing"
)

// A use is one way to use a subcommand.
type use struct {
	subcommand, args string
	refused          bool // no input needs to make it succeed
}

// uses returns the uses of all subcommands that the command has.
func uses() []use {
	var all []use
	for _, s := range subcommands {
		for _, line := range s.trials("bounds") {
			args, refused := strings.CutPrefix(line, "! ")
			all = append(all, use{s.name(), args, refused})
		}
	}
	return all
}

// Each use must be one that the command accepts: of a use that it refuses nothing is measured.
func TestBoundsUses(t *testing.T) {
	for _, u := range uses() {
		if messages := refusals(t, u); len(messages) == len(usable) && !u.refused {
			t.Errorf("no input makes npy %s succeed: correct testdata/trials/%s.txtar: %q", u.args, u.subcommand, messages)
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

// refusals returns the command's messages about the usable inputs that it does not accept.
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
