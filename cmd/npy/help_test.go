package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newRoot(out io.Writer) *cobra.Command {
	return newApp(strings.NewReader(""), out, io.Discard).root(nil)
}

// Help lists every subcommand, and the help of each subcommand is complete.
func TestHelpIsWhole(t *testing.T) {
	for _, c := range newRoot(io.Discard).Commands() {
		if c.IsAdditionalHelpTopicCommand() || c.Hidden {
			continue
		}
		if n := utf8.RuneCountInString(c.Short); n == 0 || n > 70 || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: the short help %q has %d characters, want 1 to 70 and no full stop", c.Name(), c.Short, n)
		}
		if c.Long == "" {
			t.Errorf("%s has no help", c.Name())
		}
		if c.Name() != "help" && !strings.Contains(c.Example, "npy "+c.Name()) {
			t.Errorf("%s has no example", c.Name())
		}
	}
}

// Every example in help must run.
func TestHelpExamples(t *testing.T) {
	for _, c := range newRoot(io.Discard).Commands() {
		for line := range strings.Lines(c.Example) {
			if _, piped, ok := strings.Cut(line, " | "); ok {
				line = "  " + piped
			}
			line, found := strings.CutPrefix(line, "  npy ")
			if !found {
				t.Errorf("%s: the example %q is of another program", c.Name(), line)
			}
			args := shellWords(line)
			root := newRoot(io.Discard)
			sub, rest, err := root.Find(args)
			if err == nil {
				err = sub.ParseFlags(rest)
			}
			if err == nil {
				err = sub.ValidateArgs(sub.Flags().Args())
			}
			if err != nil || sub == root {
				t.Errorf("npy %s: %v", strings.TrimSpace(line), err)
			}
		}
	}
}

// shellWords splits a line into words as shells do, as far as the examples need.
func shellWords(line string) []string {
	var words []string
	word, quote, open := "", rune(0), false
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, open = c, true
		case quote == 0 && (c == ' ' || c == '\n'):
			if open {
				words = append(words, word)
			}
			word, open = "", false
		default:
			word, open = word+string(c), true
		}
	}
	if open {
		words = append(words, word)
	}
	return words
}

// Flags name their value, not its Go type.
func TestFlagsHavePlaceholders(t *testing.T) {
	for _, c := range newRoot(io.Discard).Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			placeholder, usage := pflag.UnquoteUsage(f)
			if slices.Contains([]string{"string", "strings", "int", "uint", "float", "floats", "value"}, placeholder) && !strings.Contains(f.Usage, "`"+placeholder+"`") {
				t.Errorf("%s: the value of --%s is called %q: put its name into backquotes in %q", c.Name(), f.Name, placeholder, usage)
			}
		})
	}
}

// A flag must mean the same in all subcommands: it has the same letter and takes the same kind of value.
func TestFlagsMeanTheSame(t *testing.T) {
	names, letters := map[string]*pflag.Flag{}, map[string]*pflag.Flag{}
	for _, c := range newRoot(io.Discard).Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if first := names[f.Name]; first == nil {
				names[f.Name] = f
			} else if first.Shorthand != f.Shorthand || first.Value.Type() != f.Value.Type() {
				t.Errorf("%s: --%s is -%s of type %s, elsewhere -%s of type %s", c.Name(), f.Name, f.Shorthand, f.Value.Type(), first.Shorthand, first.Value.Type())
			}
			if f.Name == "number" { // -n as of head and tail elsewhere
				return
			}
			if first := letters[f.Shorthand]; f.Shorthand != "" && first == nil {
				letters[f.Shorthand] = f
			} else if f.Shorthand != "" && first.Name != f.Name {
				t.Errorf("%s: -%s is --%s, elsewhere --%s", c.Name(), f.Shorthand, f.Name, first.Name)
			}
		})
	}
}

// Every page of help must fit a screen 80 characters wide, and a topic 40 lines.
func TestHelpFits(t *testing.T) {
	for _, c := range append(newRoot(io.Discard).Commands(), newRoot(io.Discard)) {
		var b bytes.Buffer
		root := newRoot(&b)
		about := root
		if c.HasParent() {
			about, _, _ = root.Find([]string{c.Name()})
		}
		if err := about.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			isPath := strings.Contains(line, "/completions/")
			if n := utf8.RuneCountInString(strings.TrimRight(line, " \n")); n > 80 && !isPath {
				t.Errorf("npy help %s has a line of %d characters: %s", c.Name(), n, line)
			}
		}
		if n := strings.Count(b.String(), "\n"); n > 40 && c.IsAdditionalHelpTopicCommand() {
			t.Errorf("npy help %s has %d lines", c.Name(), n)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"one paragraph", "aa bb cc dd", "aa bb\ncc dd"},
		{"lines are joined", "aa\nbb cc\ndd", "aa bb\ncc dd"},
		{"paragraphs stay apart", "aa bb\n\ncc", "aa bb\n\ncc"},
		{"what is indented stays", "aa\n  bb cc dd ee\nff", "aa\n  bb cc dd ee\nff"},
		{"a word that is too long", "aaaaaaaa b", "aaaaaaaa\nb"},
		{"characters count, not bytes", "ää öö", "ää öö"},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := wrap(test.text, 5); got != test.want {
				t.Errorf("wrap(%q, 5) = %q, want %q", test.text, got, test.want)
			}
		})
	}
}
