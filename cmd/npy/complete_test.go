package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/npz"
)

// hostileNames are names of members, fields and files that some shell obeys outside of quotes or within them, that cannot be
// quoted, or that a script may take apart. Names that run a command make a file called ran.
var hostileNames = []string{
	"$(touch ran)", "`touch ran`", "a$(touch ran)b", "${x:-$(touch ran)}", "$((a[$(touch ran)]))", "$[$(touch ran)]", "$(>ran)", "`>ran`",
	"'$(touch ran)'", `"$(touch ran)"`, `'"$(touch ran)"'`, `"'$(touch ran)'"`, "';touch ran;'", `";touch ran;"`, `\";touch ran;\"`, `\';touch ran;\'`,
	";touch ran", ";touch ran;#", "&touch ran&", "&&touch ran", "|touch ran", "||touch ran", ">ran", "<(touch ran)", "(touch ran)", "{touch,ran}",
	"-$(touch ran)=", "--x=$(touch ran)=", "a=$(touch ran)", "a:$(touch ran)", "a]$(touch ran)", "a['$(touch ran)", `a["$(touch ran)`, "x\t$(touch ran)", "x\n$(touch ran)",
	"!!", "!touch", "a!b", "a!", "^a^touch ran", "~root", "~+", "=touch", "%1", "#a", "a #b", "*", "?", "[a-z]", "a{1,2}", "@a", "$HOME", "$x", "$'a'", `$"a"`,
	"'", `"`, `\`, "`", "''", `""`, `\\`, `a'b`, `a"b`, `a\b`, `a\`, `a\'b`, `it's "so"`, " a", "a ", "a  b", "a\u00a0", "\u00a0a",
	"-", "--", "--force", "-rf", "a,b", "a:b", ":a", "a::b", "a=b", "a;b", "a&b", "a(b)", "a<b>c", "a|b", "é", "漢字", "😀 $(touch ran)", "\u202e$(touch ran)", "\x1b[31m$(touch ran)",
	"\u2018;touch ran;\u2019", "\u201c$(touch ran)\u201d", "\u2019;touch ran;\u2018", "\u2013x", "e\u0301", "\xff$(touch ran)", strings.Repeat("long $(touch ran) ", 9),
}

// No script of a shell evaluates text: the only program that it runs is npy.
func TestCompletionScriptsEvaluateNothing(t *testing.T) {
	evaluate := regexp.MustCompile(`(?mi)\b(eval|source|exec|Invoke-Expression|iex|Invoke-Command|Create|NewScriptBlock|ExpandString|InvokeScript)\b|\$\{\(?e|\(e\)|\bsh -c|^\s*\. `)
	for name, runs := range map[string]string{
		"npy.bash": `command npy __line bash "${COMP_TYPE:-9}" "${__npy_typed}" "${__npy_line}" 2>/dev/null`,
		"npy.zsh":  `command npy __line zsh 0 "$PREFIX" "$__npy_line" 2>/dev/null`,
		"npy.fish": `(command npy __line fish 0 "" (commandline -cp | string collect) 2>/dev/null)`,
		"npy.ps1":  `& $program __line powershell $passing - $base64 2>$null`,
	} {
		script, err := completionScripts.ReadFile("completion/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var code []string
		for line := range strings.Lines(string(script)) {
			if !strings.HasPrefix(strings.TrimSpace(line), "#") {
				code = append(code, line)
			}
		}
		text := strings.Join(code, "")
		if found := evaluate.FindString(text); found != "" {
			t.Errorf("%s has %q", name, found)
		}
		if strings.Count(text, "__line") != 1 || !strings.Contains(text, runs) {
			t.Errorf("%s does not run npy once, by %s", name, runs)
		}
		if n := strings.Count(strings.ReplaceAll(text, "2>&1", ""), "& "); name == "npy.ps1" && n != 1 {
			t.Errorf("%s calls %d programs", name, n)
		}
	}
}

// PowerShell gets a name as one word that it takes literally: without a character that it gives a meaning, or within
// single quotes, where all but quotes is text. There is no PowerShell here to try it.
func TestPowerShellCompletion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "z.npz")
	one, err := npy.FromSlice([]int8{1})
	if err != nil {
		t.Fatal(err)
	}
	offered := 0
	lines := []string{"npy show z.npz:", "npy show 'z.npz:", `npy show "z.npz:`, "npy show \u2018z.npz:", "npy unpack z.npz ", `npy show $(touch ran) z.npz:`}
	t.Chdir(filepath.Dir(path))
	for i, name := range hostileNames {
		if err := npz.Save(path, npz.Member{Name: name, Array: one}); err != nil {
			continue
		}
		for _, line := range lines[i%len(lines):][:1] { // the word takes the place of all that was typed
			for _, passing := range []string{"Standard", "Legacy"} {
				var out bytes.Buffer
				code := run([]string{"__line", "powershell", passing, "-", base64.StdEncoding.EncodeToString([]byte(line))}, nil, &out, nil)
				if code != exitDone {
					t.Fatalf("%q: exit code %d", line, code)
				}
				var got []struct{ Text, List, Tip string }
				if err := json.Unmarshal(out.Bytes(), &got); err != nil || strings.ContainsFunc(out.String(), func(r rune) bool { return r > '~' }) {
					t.Fatalf("%q: %q, %v, want JSON in ASCII", line, out.String(), err)
				}
				for _, g := range got {
					if g.Text == "" { // nothing is offered
						continue
					}
					offered++
					want := map[bool]string{true: name, false: "z.npz:" + name}[strings.HasPrefix(line, "npy unpack")]
					if passing == "Legacy" && strings.Contains(want, `"`) || g.List != want || !isPowerShellWord(g.Text, want) {
						t.Errorf("%q, %s: PowerShell gets %q for %q", line, passing, g.Text, want)
					}
				}
			}
		}
	}
	if offered < 100 {
		t.Errorf("only %d names were offered", offered)
	}
}

// isPowerShellWord reports whether a word of PowerShell is the text.
func isPowerShellWord(word, text string) bool {
	if !strings.HasPrefix(word, "'") {
		return word == text && regexp.MustCompile(`^-{0,2}[A-Za-z0-9_./:\\][A-Za-z0-9_./:\\+=-]*$`).MatchString(word)
	}
	within, ok := strings.CutSuffix(word[1:], "'")
	doubled := regexp.MustCompile("['\u2018-\u201b]").ReplaceAllString(text, "$0$0")
	return ok && within == doubled
}
