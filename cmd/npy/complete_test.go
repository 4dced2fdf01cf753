package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy/cmd/npy/internal/input"
)

// Bash itself completes, with the script that the command prints. Bash splits words at colons before it calls the
// command.
func TestBashCompletion(t *testing.T) {
	const library = "/usr/share/bash-completion/bash_completion"
	if _, err := os.Stat(library); err != nil || runtime.GOOS == "windows" {
		t.Skip("bash-completion is not installed")
	}
	dir := t.TempDir()
	record, err := filepath.Abs("../../testdata/numpy-2.3.5/seed-nested.npy")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, args := range [][]string{
		{"convert", record, "a.npy"},
		{"pack", "m.npz", "layer1/w=a.npy", "$(touch run)=a.npy", "a b=a.npy"},
	} {
		if code := run(args, nil, os.Stdout, os.Stderr); code != exitDone {
			t.Fatalf("npy %q: exit code %d", args, code)
		}
	}
	for _, test := range []struct {
		name  string
		words []string
		want  string
	}{
		{"a subcommand", []string{"npy", "inf"}, "info"},
		{"a file", []string{"npy", "info", "a."}, "a.npy"},
		{"a member", []string{"npy", "show", "m.npz", ":", "l"}, "layer1/w"},
		{"a member that has to be quoted", []string{"npy", "show", "m.npz", ":", "a"}, `a\ b`},
		{"a member that looks like a command", []string{"npy", "show", "m.npz", ":", `\$`}, `\$\(touch\ run\)`},
		{"fields", []string{"npy", "show", "a.npy["}, "a.npy[outer]\na.npy[outer2]"},
		{"fields in a quote", []string{"npy", "show", "a.npy['"}, "outer\nouter2"},
		{"fields after a quote", []string{"npy", "show", "'a.npy[outer2"}, "a.npy[outer2]"},
		{"a member in brackets", []string{"npy", "show", `m.npz["l`}, "layer1/w"},
		{"a member after a quote", []string{"npy", "show", `"m.npz:l`}, "m.npz:layer1/w"},
		{"the value of a flag", []string{"npy", "convert", "--order", ""}, "C\nF"},
		{"a member by itself", []string{"npy", "unpack", "m.npz", "la"}, "layer1/w"},
	} {
		t.Run(test.name, func(t *testing.T) {
			cmd := exec.Command("bash", "--norc", "-c", bashComplete, library)
			cmd.Args = append(cmd.Args, test.words...)
			out, err := cmd.CombinedOutput()
			if got := strings.TrimSpace(string(out)); err != nil || got != test.want {
				t.Errorf("%q completes to %q, error %v, want %q", test.words, got, err, test.want)
			}
		})
	}
	if input.Exists("run") {
		t.Error("the name of a member was run as a command")
	}
}

// bashComplete does the work of bash when Tab is pressed: $0 is the library, the arguments are the words.
const bashComplete = `
source "$0"
source <(npy completion bash)
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_TYPE=9 COMP_KEY=9
COMP_LINE="$*"; COMP_LINE=${COMP_LINE// : /:}; COMP_POINT=${#COMP_LINE}
compopt() { :; }
__npy_in_quotes
printf '%s\n' "${COMPREPLY[@]}"
`
