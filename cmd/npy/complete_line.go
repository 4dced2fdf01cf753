package main

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/shell"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/spf13/cobra"
)

// lineRequest is the hidden subcommand that the scripts of completion call: npy __line SHELL HOW TYPED LINE. LINE ends at
// the cursor, and TYPED is its end, which the shell replaces. HOW is COMP_TYPE of bash, or how PowerShell passes arguments.
const lineRequest = "__line"

// A completion has the candidates for the word at the cursor.
type completion struct {
	line   shell.Line
	typed  string // the text that the shell replaces: the end of the line
	from   int    // the offset of typed in the line
	offers []offer
	files  bool     // the offers are files and folders
	shell  bool     // the shell knows better
	flag   string   // --flag= before the file
	only   []string // the endings of the files
	cut    int      // the length of the beginning of the word that all offers have and a list need not show

	noSpace, noSort, folders bool
}

// An offer is a text for the whole word.
type offer struct{ text, about string }

// completeLine answers a script and returns the exit code.
func (a *app) completeLine(args []string) int {
	if len(args) != 4 {
		return exitUsage
	}
	kind, how, typed, text := shell.Shell(args[0]), args[1], args[2], args[3]
	if kind == shell.PowerShell {
		line, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return exitUsage
		}
		typed, text = "", string(line)
	}
	line, ok := shell.Parse(kind, text)
	if !ok || !strings.HasSuffix(text, typed) {
		return exitNo
	}
	w := completion{line: line, typed: typed, from: len(text) - len(typed)}
	a.complete(&w)
	if kind == shell.Bash && len(w.offers) == 0 {
		a.completeName(&w, text)
	}
	switch kind {
	case shell.Bash:
		w.bash(a.out, how)
	case shell.Zsh:
		w.zsh(a.out)
	case shell.Fish:
		w.fish(a.out)
	case shell.PowerShell:
		w.powerShell(a.out, how == "Legacy")
	}
	return exitDone
}

// complete finds the candidates for the word of w.
func (a *app) complete(w *completion) {
	word := w.line.Word
	switch {
	case !word.Known:
		w.shell = true
		return
	case w.line.File:
		w.addFiles("", nil)
		return
	}
	a.openQuote = word.Open
	texts, directive := a.ask(append(w.line.Words, word.Text))
	has := func(d cobra.ShellCompDirective) bool { return directive&d != 0 }
	flag := ""
	if name, _, ok := strings.Cut(word.Text, "="); ok && strings.HasPrefix(word.Text, "-") && !slices.Contains(w.line.Words, "--") {
		flag = name + "="
		w.cut = len(flag)
	}
	w.noSpace, w.noSort = has(cobra.ShellCompDirectiveNoSpace), has(cobra.ShellCompDirectiveKeepOrder)
	switch {
	case has(cobra.ShellCompDirectiveError):
	case has(cobra.ShellCompDirectiveFilterDirs):
		w.folders = true
		w.addFiles(flag, nil)
	case has(cobra.ShellCompDirectiveFilterFileExt):
		w.addFiles(flag, texts)
	case len(texts) == 0 && !has(cobra.ShellCompDirectiveNoFileComp):
		w.addFiles(flag, nil)
	default:
		for _, text := range texts {
			name, about, _ := strings.Cut(text, "\t")
			w.add(flag+strings.Trim(name, edge), about)
		}
		if flag == "" {
			w.cut = strings.LastIndexAny(word.Text, ":[") + 1
			if w.cut > 0 && word.Text[w.cut-1] == '[' {
				w.cut--
			}
		}
	}
}

// completeName completes a name that was typed as in Python: FILE["na. The shell takes the quote for its own, so the name
// gets other quotes where bash replaces the text after the quote: FILE["'name of a field']".
func (a *app) completeName(w *completion, text string) {
	line, ok := shell.Parse(shell.Bash, text[:w.from])
	word := w.line.Word
	if !ok || word.Open == 0 || line.Word.Open != word.Open || !line.Word.Known || !strings.HasSuffix(line.Word.Text, "[") {
		return
	}
	name, found := strings.CutPrefix(word.Text, line.Word.Text)
	if !found {
		return
	}
	all := *w
	all.line = line
	a.complete(&all)
	all.offers = slices.DeleteFunc(all.offers, func(o offer) bool {
		return !strings.HasPrefix(strings.TrimLeft(o.text[len(line.Word.Text):], `'"`), name)
	})
	if len(all.offers) > 0 {
		*w = all
	}
}

// ask returns cobra's completions of the last argument.
func (a *app) ask(args []string) ([]string, cobra.ShellCompDirective) {
	var out bytes.Buffer
	args = append([]string{cobra.ShellCompRequestCmd}, args...)
	root := a.root(args)
	root.SetOut(&out)
	root.SetErr(io.Discard)
	root.SetArgs(arguments(root, args))
	a.addCompletions(root)
	if root.Execute() != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	last := len(lines) - 1
	directive, err := strconv.Atoi(strings.TrimPrefix(lines[last], ":"))
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return lines[:last], cobra.ShellCompDirective(directive)
}

// add offers a text that begins with the word. A text with characters that a terminal obeys is not offered.
func (w *completion) add(text, about string) {
	if strings.HasPrefix(text, w.line.Word.Text) && terminal.Printable(text) == text {
		w.offers = append(w.offers, offer{text, about})
	}
}

// addFiles offers files with some endings and folders, or all files if there is no file with these endings.
func (w *completion) addFiles(flag string, endings []string) {
	w.files, w.only = true, endings
	folder, _ := filepath.Split(strings.TrimPrefix(w.line.Word.Text, flag))
	w.flag, w.cut = flag, len(flag)+len(folder)
	all, err := os.ReadDir(cmp.Or(folder, "."))
	if err != nil {
		return
	}
	isOther := func(name string) bool { return !hasEnding(name, endings) }
	var offers, others []offer
	for _, f := range all {
		path := flag + folder + f.Name()
		if !strings.HasPrefix(path, w.line.Word.Text) || terminal.Printable(path) != path || strings.HasPrefix(path, "-") && flag == "" {
			continue
		}
		if strings.HasPrefix(f.Name(), ".") && w.line.Word.Text == flag+folder {
			continue // hidden, unless its dot was typed
		}
		switch info, err := os.Stat(folder + f.Name()); {
		case err == nil && info.IsDir():
			offers = append(offers, offer{path + "/", ""})
		case w.folders:
		case isOther(f.Name()):
			others = append(others, offer{path, ""})
		default:
			offers = append(offers, offer{path, ""})
		}
	}
	if !slices.ContainsFunc(offers, func(o offer) bool { return !strings.HasSuffix(o.text, "/") }) {
		w.only = nil
		offers = append(offers, others...)
	}
	w.offers = offers
	slices.SortFunc(w.offers, func(x, y offer) int { return cmp.Compare(x.text, y.text) })
}

// hasEnding reports whether a name has one of some endings, or there are none.
func hasEnding(name string, endings []string) bool {
	ending := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	return len(endings) == 0 || slices.Contains(endings, ending)
}

// The values of COMP_TYPE.
const (
	bashList   = "63" // the second Tab: list
	bashMenu   = "37" // one candidate after the other
	bashInsert = "42" // all of them
)

// bash prints options of compopt on the first line, and the replacements of the typed text on the others. If bash lists
// the candidates, it takes nothing from them, and they have descriptions.
func (w *completion) bash(out io.Writer, how string) {
	var options, lines []string
	switch {
	case w.shell:
		options = append(options, "bashdefault")
	case how == bashInsert && w.line.Word.Open != 0: // bash drops the quote
	case how == bashList && len(w.offers) > 1:
		lines = w.list()
	default:
		lines = w.replacements(how)
		// With this option bash closes no quote after a folder. It looks for the file, and for that it runs the command in
		// ${x:-$(command)}, even within single quotes.
		if w.files && !slices.ContainsFunc(lines, func(line string) bool { return strings.ContainsAny(line, "$`") }) {
			options = append(options, "filenames")
		}
	}
	fmt.Fprintln(out, strings.Join(append(options, w.options()...), " "))
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
}

// replacements returns the texts that may replace the typed text. Bash inserts one of them, or their common prefix. The
// open quote ends each text that bash may insert whole, except folders, which keeps bash from adding the quote where the
// text ends with one. If the common prefix ends within an escape, two texts that share the escapes before it stand for
// all. Bash drops the open quote if a text begins with one, so no text begins with a quote.
func (w *completion) replacements(how string) []string {
	word := w.line.Word
	var texts, lines []string
	for _, o := range w.offers {
		line, ok := word.Replace(w.from, o.text)
		if ok && !(word.Open != 0 && strings.HasPrefix(line, string(word.Open))) {
			texts, lines = append(texts, o.text), append(lines, line)
		}
	}
	switch {
	case word.Open != 0 && (len(lines) == 1 || how == bashMenu):
		for i := range lines {
			if !w.isFolder(texts[i]) {
				lines[i] += string(word.Open)
			}
		}
	case len(lines) > 1 && how != bashMenu && how != bashInsert:
		begin, ok := word.Replace(w.from, sharedText(texts))
		if ok && begin != sharedPrefix(lines) {
			lines = []string{begin + "0", begin + "1"}
		}
	}
	if len(texts) == 1 && w.isFolder(texts[0]) {
		w.noSpace = true
	}
	return lines
}

// isFolder reports whether an offer is the name of a folder.
func (w *completion) isFolder(text string) bool { return w.files && strings.HasSuffix(text, "/") }

// sharedText returns the characters that all texts begin with.
func sharedText(texts []string) string {
	shared := sharedPrefix(texts)
	for !utf8.ValidString(shared) {
		shared = shared[:len(shared)-1]
	}
	return shared
}

// sharedPrefix returns the bytes that all texts begin with.
func sharedPrefix(texts []string) string {
	first, last := slices.Min(texts), slices.Max(texts)
	i := 0
	for i < len(first) && i < len(last) && first[i] == last[i] {
		i++
	}
	return first[:i]
}

// list returns the offers with their descriptions, in lines that fit the screen.
func (w *completion) list() []string {
	columns, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil || columns < 20 {
		columns = 80
	}
	longest, described := 0, false
	for _, o := range w.offers {
		longest = max(longest, npy.TextWidth(o.text[w.cut:]))
		described = described || o.about != ""
	}
	var lines []string
	for _, o := range w.offers {
		name := o.text[w.cut:]
		space := columns - longest - 4
		if described && space > 8 {
			about := []rune(o.about)
			if len(about) > space {
				about = append(about[:space-1], '…')
			}
			name += strings.Repeat(" ", longest-npy.TextWidth(name)) + "  (" + string(about) + ")"
		}
		lines = append(lines, name)
	}
	return lines
}

// options returns how the shell shows and inserts the candidates.
func (w *completion) options() (options []string) {
	if w.noSpace {
		options = append(options, "nospace")
	}
	if w.noSort {
		options = append(options, "nosort")
	}
	return options
}

// zsh prints the action, the number of characters of the typed text that stay, and options, then candidates as _describe
// takes them.
func (w *completion) zsh(out io.Writer) {
	file := utf8.RuneCountInString(w.flag) // zsh itself knows variables in the names of files
	switch {
	case w.shell && w.line.Word.BeginsWith("~"): // a user
		fmt.Fprintln(out, "files", 0)
	case w.shell:
	case w.folders:
		fmt.Fprintln(out, "folders", file)
	case w.files:
		pattern := ""
		if len(w.only) > 0 {
			pattern = "*.(" + strings.Join(w.only, "|") + ")"
		}
		fmt.Fprintln(out, "files", file, pattern)
	default:
		kept, before, ok := w.line.Word.Kept(w.from, w.cut)
		if !ok {
			kept, before, ok = w.line.Word.Kept(w.from, 0)
		}
		if !ok {
			return
		}
		fmt.Fprintln(out, strings.Join(append([]string{"words", strconv.Itoa(kept)}, w.options()...), " "))
		escape := strings.NewReplacer(`\`, `\\`, `:`, `\:`)
		for _, o := range w.offers {
			line := escape.Replace(strings.TrimPrefix(o.text, before))
			if o.about != "" {
				line += ":" + escape.Replace(o.about)
			}
			fmt.Fprintln(out, line)
		}
	}
}

// fish prints the action, then candidates with their descriptions. Fish would take ~ at the beginning of one for a home
// folder.
func (w *completion) fish(out io.Writer) {
	if w.shell {
		fmt.Fprintln(out, "default")
		return
	}
	fmt.Fprintln(out, "words")
	for _, o := range w.offers {
		if !strings.HasPrefix(o.text, "~") {
			fmt.Fprintf(out, "%s\t%s\n", w.line.Word.Typed(o.text), o.about)
		}
	}
}

// powerShell prints candidates as JSON: Text takes the place of the word, List and Tip are shown. Before version 7.3,
// PowerShell cannot pass quotes to programs. For files it prints nothing, and an empty Text if there is nothing to offer.
func (w *completion) powerShell(out io.Writer, legacy bool) {
	if w.files || w.shell {
		return
	}
	type candidate struct{ Text, List, Tip string }
	candidates := []candidate{}
	bare := !slices.ContainsFunc(w.offers, func(o offer) bool { return !shell.IsBare(o.text) })
	for _, o := range w.offers {
		if legacy && strings.ContainsAny(o.text, `"`) {
			continue
		}
		c := candidate{Text: o.text, List: o.text, Tip: cmp.Or(o.about, o.text)}
		if !bare {
			c.Text = shell.QuotePowerShell(o.text)
		}
		candidates = append(candidates, c)
	}
	if len(candidates) == 0 {
		candidates = append(candidates, candidate{})
	}
	text, _ := json.Marshal(candidates) // of strings, which cannot fail
	for _, r := range string(text) {
		if r < utf8.RuneSelf {
			fmt.Fprintf(out, "%c", r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(out, `\u%04x`, unit)
		}
	}
	fmt.Fprintln(out)
}
