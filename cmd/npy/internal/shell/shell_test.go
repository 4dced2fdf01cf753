package shell

import (
	"bytes"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// Lines are read as each shell reads them.
func TestParse(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	t.Setenv("USERPROFILE", "/home/me") // of Windows
	t.Setenv("NPY_D", "/data")
	t.Setenv("NPY_S", "a b")
	for _, test := range []struct {
		shell Shell
		line  string
		words []string
		text  string
		open  byte
	}{
		{Bash, "npy ", nil, "", 0},
		{Bash, "npy show  a.npy", []string{"show"}, "a.npy", 0},
		{Bash, "A=1 npy show a", []string{"show"}, "a", 0},
		{Bash, `npy a\ b 'c d' "e f" g`, []string{"a b", "c d", "e f"}, "g", 0},
		{Bash, `npy 'a"b`, nil, `a"b`, '\''},
		{Bash, `npy "a'b\"\$\x\\`, nil, `a'b"$\x\`, '"'},
		{Bash, `npy a'b'"c"d\`, nil, "abcd", 0},
		{Bash, `npy ~/x`, nil, "/home/me/x", 0},
		{Bash, `npy '~/x'`, nil, "~/x", 0},
		{Bash, `npy a~/x`, nil, "a~/x", 0},
		{Bash, `npy $NPY_D/x "${NPY_D}/y`, []string{"/data/x"}, "/data/y", '"'},
		{Bash, `npy '$NPY_D`, nil, "$NPY_D", '\''},
		{Bash, `npy a$ "$`, []string{"a$"}, "$", '"'},
		{Bash, "npy $(echo a b) `x y` $((1 + 2)) b", []string{"$(echo a b)", "`x y`", "$((1 + 2))"}, "b", 0},
		{Bash, `npy "$(echo ")" '(')" b`, []string{`"$(echo ")" '(')"`}, "b", 0},
		{Bash, "npy a >out 2>&1 b", []string{"a"}, "b", 0},
		{Bash, "npy a <(cat x) b", []string{"a", "<(cat x)"}, "b", 0},
		{Bash, "ls; npy x | npy show b", []string{"show"}, "b", 0},
		{Bash, "npy $'a b' c", []string{"$'a b'"}, "c", 0},
		{Zsh, `npy $NPY_S/x`, nil, "a b/x", 0},
		{Fish, `npy 'a\'b\\c\d`, nil, `a'b\c\d`, '\''},
		{Fish, `npy a\ b (echo c) d`, []string{"a b", "(echo c)"}, "d", 0},
		{Fish, "npy a`b", nil, "a`b", 0},
		{PowerShell, "npy a` b 'c''d' \"e\"\"f\" g", []string{"a b", "c'd", `e"f`}, "g", 0},
		{PowerShell, "npy 'a\u2019b", nil, "ab", 0},
		{PowerShell, "npy \u2018a\u2019\u2019b", nil, "a\u2019b", '\''},
		{PowerShell, "npy \"$env:NPY_D/x", nil, "/data/x", '"'},
	} {
		l, ok := Parse(test.shell, test.line)
		if !ok || !l.Word.Known || len(l.Words)+len(test.words) > 0 && !reflect.DeepEqual(l.Words, test.words) || l.Word.Text != test.text || l.Word.Open != test.open {
			t.Errorf("%s: %q has the words %q, then %q with open quote %q, known %v; want %q, %q, %q",
				test.shell, test.line, l.Words, l.Word.Text, l.Word.Open, l.Word.Known, test.words, test.text, test.open)
		}
	}
	for shell, lines := range map[Shell][]string{
		Bash:       {"npy $(x", "npy \"$(x)", "npy `x", "npy ${x:-1}", "npy $none", "npy $NPY_S", "npy $'x", "npy ~none/x", "npy ~", "npy <(x"},
		Fish:       {"npy (x", "npy $none", `npy \n`, "npy {a,b}", "npy $'a"},
		PowerShell: {"npy $x", "npy $(x", "npy (x", "npy @(x", "npy `n"},
	} {
		for _, line := range lines {
			if l, ok := Parse(shell, line); !ok || l.Word.Known {
				t.Errorf("%s: %q has the word %q, want one that is not known", shell, line, l.Word.Text)
			}
		}
	}
	if l, ok := Parse(Bash, "npy a >"); !ok || !l.File {
		t.Error("the word after > is no file")
	}
	for _, line := range []string{"", "np", "npy", "npy a; np", "npy a |"} {
		if l, ok := Parse(Bash, line); ok {
			t.Errorf("%q has the word %q, want none", line, l.Word.Text)
		}
	}
}

// The replacement of the end of a line makes the candidate of the word, in each quote, and keeps variables.
func TestReplace(t *testing.T) {
	t.Setenv("NPY_D", "/data")
	for _, test := range []struct{ line, typed, candidate, want string }{
		{"npy z:", "", "z:a b", `a\ b`},
		{"npy z:", "z:", "z:a b", `z:a\ b`},
		{`npy "z:a`, "z:a", `z:a"$!`, `z:a\"\$"\!"`},
		{"npy 'z:", "z:", "z:it's", `z:it'\''s`},
		{"npy $NPY_D/z:", "$NPY_D/z:", "/data/z:a", "$NPY_D/z:a"},
		{`npy "$NPY_D/z:`, "$NPY_D/z:", "/data/z:$a", `$NPY_D/z:\$a`},
		{`npy z\ y:\`, `\`, "z y:$", `\$`},
		{`npy a"b c"d`, `a"b c"d`, "ab cde", `ab\ cde`},
	} {
		l, ok := Parse(Bash, test.line)
		if !ok || !strings.HasSuffix(test.line, test.typed) {
			t.Fatal(test.line)
		}
		if got, ok := l.Word.Replace(len(test.line)-len(test.typed), test.candidate); !ok || got != test.want {
			t.Errorf("%q: the end %q becomes %q, %v, want %q", test.line, test.typed, got, ok, test.want)
		}
	}
}

// The kept part of a line ends before an escape and in the quote of the cursor.
func TestKept(t *testing.T) {
	t.Setenv("NPY_D", "/data")
	for _, test := range []struct {
		line, typed string
		n           int
		want        string // of typed
		text        string
		ok          bool
	}{
		{"npy z:a", "z:a", 2, "z:", "z:", true},
		{`npy z:\$a`, `z:\$a`, 2, "z:", "z:", true},
		{`npy z\ y:\$a`, `z\ y:\$a`, 4, `z\ y:`, "z y:", true},
		{`npy "z:\$a`, `z:\$a`, 2, "z:", "z:", true},
		{"npy $NPY_D/z:a", "$NPY_D/z:a", 0, "$NPY_D", "/data", true},
		{"npy $NPY_D/z:a", "$NPY_D/z:a", 8, "$NPY_D/z:", "/data/z:", true},
		{`npy "$NPY_D/z:a`, "$NPY_D/z:a", 0, "$NPY_D", "/data", true},
		{`npy "z:"a`, `"z:"a`, 2, `"z:`, "z:", false},
		{`npy "$NPY_D"/z:`, `"$NPY_D"/z:`, 0, `"$NPY_D`, "/data", false},
		{"npy z:a", "z:a", 0, "", "", true},
	} {
		l, _ := Parse(Zsh, test.line)
		n, text, ok := l.Word.Kept(len(test.line)-len(test.typed), test.n)
		if n != len(test.want) || text != test.text || ok != test.ok {
			t.Errorf("%q, the first %d bytes: %d characters stay for %q, %v; want %d, %q, %v", test.line, test.n, n, text, ok, len(test.want), test.text, test.ok)
		}
	}
}

// Bash itself reads text that is quoted for it, and runs nothing.
func TestQuote(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	var texts []string
	for c := rune(1); c < 0x180; c++ {
		texts = append(texts, string(c), "a"+string(c)+"b", string(c)+string(c))
	}
	for _, c := range "\\'\"$`!" {
		for _, d := range "\\'\"$`!({\n" {
			texts = append(texts, string(c)+string(d)+"echo x)}"+string(c))
		}
	}
	var script strings.Builder
	for _, text := range texts {
		if strings.Contains(text, "\n") { // a terminal obeys it, and no shell can quote it by a backslash
			continue
		}
		script.WriteString(`printf '%s\0' ` + quote(text, 0) + " '" + quote(text, '\'') + `' "` + quote(text, '"') + "\"\n")
	}
	out, err := exec.Command(bash, "-c", script.String()).CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	got := bytes.Split(out, []byte{0})
	i := 0
	for _, text := range texts {
		if strings.Contains(text, "\n") {
			continue
		}
		for _, open := range []byte{0, '\'', '"'} {
			if string(got[i]) != text {
				t.Fatalf("%q, open quote %q: bash reads %q", text, open, got[i])
			}
			i++
		}
	}
}

// readPowerShell returns the text that PowerShell's tokenizer (CharTraits.cs: IsSingleQuote) reads from a word in single quotes.
// ok is false if s is anything else than one such word.
func readPowerShell(s string) (text string, ok bool) {
	isQuote := func(r rune) bool { return r == '\'' || r >= 0x2018 && r <= 0x201b }
	runes := []rune(s)
	if len(runes) < 2 || !isQuote(runes[0]) {
		return "", false
	}
	var out []rune
	for i := 1; i < len(runes); i++ {
		if !isQuote(runes[i]) {
			out = append(out, runes[i])
			continue
		}
		if i+1 == len(runes) {
			return string(out), true
		}
		if !isQuote(runes[i+1]) {
			return "", false
		}
		out = append(out, runes[i])
		i++
	}
	return "", false
}

// Every text is one word of PowerShell when it is quoted, and the text is within quotes that give nothing a meaning.
func FuzzQuotePowerShell(f *testing.F) {
	for _, s := range []string{"", "a b", "it's", "$(ran)", "\u2018;ran;\u2019", "\u201a\u201b'", "`", "a\u2019"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip()
		}
		word := QuotePowerShell(s)
		if got, ok := readPowerShell(word); !ok || got != s {
			t.Errorf("%q is quoted as %q, which PowerShell reads as %q, %v", s, word, got, ok)
		}
		if l, ok := Parse(PowerShell, "npy "+word); !ok || l.Word.Text != s || l.Word.Open != 0 {
			t.Errorf("%q is read as %q", word, l.Word.Text)
		}
		if IsBare(s) && strings.ContainsAny(s, " \t'\"`$(){}[];|&<>@#,*?\u2018\u2019\u201a\u201b\u201c\u201d\u201e") {
			t.Errorf("%q needs quotes", s)
		}
	})
}

// No line makes the reader panic, and the pieces of a word are the line from its beginning on.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"npy ${", "npy $", "npy \\", "npy '", "npy \"$(", "npy `", "npy a >(", "npy ~", "npy $'", "npy {", "npy \xff"} {
		f.Add(s, 0)
	}
	f.Fuzz(func(t *testing.T, line string, from int) {
		for _, s := range []Shell{Bash, Zsh, Fish, PowerShell} {
			l, ok := Parse(s, line)
			if !ok {
				continue
			}
			at := l.Word.start
			for _, p := range l.Word.pieces {
				if p.start != at || p.end < p.start {
					t.Fatalf("%s: %q: a piece from %d to %d after byte %d", s, line, p.start, p.end, at)
				}
				at = p.end
			}
			if at != len(line) {
				t.Fatalf("%s: %q: the pieces end at byte %d", s, line, at)
			}
			if from >= 0 && from <= len(line) && s == Bash && l.Word.Known {
				checkReplace(t, line, from, l.Word)
			}
			if n, _, _ := l.Word.Kept(max(0, min(from, len(line))), len(line)/2); n < 0 || n > len(line) {
				t.Fatalf("%q keeps %d characters", line, n)
			}
		}
	})
}

// checkReplace checks that the line after a replacement has the candidate as its word.
func checkReplace(t *testing.T, line string, from int, w Word) {
	t.Helper()
	candidate := w.Text + "it's \"$(x)`!\\ é"
	text, ok := w.Replace(from, candidate)
	if !ok {
		return
	}
	if l, ok := Parse(Bash, line[:from]+text); !ok || l.Word.Text != candidate {
		t.Errorf("%q from byte %d on becomes %q, which is read as %q, want %q", line, from, line[:from]+text, l.Word.Text, candidate)
	}
}
