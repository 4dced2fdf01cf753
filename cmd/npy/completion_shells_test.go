//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/shell"
	"github.com/npygo/npy/npz"
)

// A shellSession is a shell in a terminal, whose command npy writes its arguments down. Two named pipes report the actions
// of the shell: line has the command line after Ctrl-X Ctrl-D, and ran has the arguments of each npy that it runs.
type shellSession struct {
	t         testing.TB
	kind      shell.Shell
	term      *pty
	dir       string
	line, ran *bufio.Reader
	files     []*os.File
	prompts   int    // that the shell has printed
	screen    string // output before the last prompt
}

// The keys that complete. Tab has zsh run the commands of the word before it completes, for every program; the other key
// does not.
const (
	tabKey      = "\t"
	completeKey = "\x18\x14"
)

// shellStart has the startup commands of each shell: prompts that count, the completions, and keys that print the line.
var shellStart = map[shell.Shell]string{
	shell.Bash: `PROMPT_COMMAND='PS1="<$((++npy_prompts))>"'
source <(npy completion bash)
npy_dump() { printf '%s\0' "$READLINE_LINE" >"$NPY_TEST_LINE"; }
bind -x '"\C-x\C-d": npy_dump'
bind '"\C-x\C-t": complete'
bind 'set enable-bracketed-paste off'
bind 'set bell-style none'
set -H
`,
	shell.Zsh: `precmd() { PS1="<$((++npy_prompts))>" }
setopt no_beep interactive_comments
zmodload zsh/zle
autoload -U compinit && compinit -u -D
source <(npy completion zsh)
npy_dump() { print -rn -- "$BUFFER"$'\0' >$NPY_TEST_LINE }
zle -N npy_dump
bindkey -e
bindkey '^X^D' npy_dump
bindkey '^X^T' complete-word
`,
	shell.Fish: `set -g npy_prompts 0
function npy_count --on-event fish_prompt; set npy_prompts (math $npy_prompts + 1); end
function fish_prompt; echo -n "<$npy_prompts>"; end
function fish_right_prompt; end
set -g fish_greeting
set -g fish_autosuggestion_enabled 0
npy completion fish | source
function npy_dump
    begin
        commandline | string collect
        printf '\0'
    end >$NPY_TEST_LINE
end
bind \cx\cd npy_dump
bind \cx\ct complete
`,
}

// startShell starts a shell in a folder, or skips the test.
func startShell(t testing.TB, kind shell.Shell, dir string) *shellSession {
	t.Helper()
	path, err := exec.LookPath(string(kind))
	if err != nil {
		t.Skip(err)
	}
	home := t.TempDir()
	one, err := npy.FromSlice([]int8{1})
	if err == nil {
		err = npy.WriteFile(filepath.Join(home, "upper.npy"), one)
	}
	if err == nil {
		err = npz.Save(filepath.Join(home, "m.npz"), npz.Member{Name: "w1", Array: one})
	}
	if err != nil {
		t.Fatal(err)
	}
	s := &shellSession{t: t, kind: kind, dir: dir}
	bin := filepath.Join(home, "bin")
	program, err := filepath.Abs(os.Args[0])
	if err == nil {
		err = os.Mkdir(bin, 0o777)
	}
	if err == nil {
		err = os.Symlink(program, filepath.Join(bin, "npy"))
	}
	start := filepath.Join(home, map[shell.Shell]string{shell.Bash: "start", shell.Zsh: ".zshrc", shell.Fish: "start"}[kind])
	if err == nil {
		err = os.WriteFile(start, []byte(shellStart[kind]), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	args := map[shell.Shell][]string{
		shell.Bash: {"--noprofile", "--rcfile", start, "-i"}, shell.Zsh: {"-d", "-i"}, shell.Fish: {"--no-config", "-C", "source " + start, "-i"},
	}[kind]
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"HOME=" + home, "ZDOTDIR=" + home, "XDG_CONFIG_HOME=" + home, "XDG_DATA_HOME=" + home, "PATH=" + bin + ":" + os.Getenv("PATH"),
		"TERM=xterm", "LC_ALL=C.UTF-8", "GOCOVERDIR=" + home, "HISTFILE=", "GORACE=" + os.Getenv("GORACE"),
		"NPY_HERE=" + dir, "NPY_TEST_LINE=" + s.pipe(filepath.Join(home, "line"), &s.line), recordArgs + "=" + s.pipe(filepath.Join(home, "ran"), &s.ran),
	}
	s.term = startPTY(t, cmd)
	s.prompt()
	return s
}

// pipe makes a named pipe and returns its path.
func (s *shellSession) pipe(path string, r **bufio.Reader) string {
	s.t.Helper()
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		s.t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { f.Close() })
	s.files = append(s.files, f)
	*r = bufio.NewReader(f)
	return path
}

// read reads up to the next NUL from a pipe.
func (s *shellSession) read(r *bufio.Reader) (string, error) {
	for _, f := range s.files {
		if err := f.SetReadDeadline(time.Now().Add(patience)); err != nil {
			return "", err
		}
	}
	text, err := r.ReadString(0)
	if err != nil {
		return "", fmt.Errorf("%s: %w; the terminal has %q", s.kind, err, s.term.shown())
	}
	return strings.TrimSuffix(text, "\x00"), nil
}

// cd changes the folder of the shell.
func (s *shellSession) cd(dir string) {
	s.t.Helper()
	s.enter("cd '" + dir + "'")
	s.dir = dir
}

// prompt waits for the next prompt.
func (s *shellSession) prompt() {
	s.t.Helper()
	s.prompts++
	s.screen = s.term.wait(s.t, fmt.Sprintf("<%d>", s.prompts))
}

// enter types a line and Enter, and waits until the shell has run it.
func (s *shellSession) enter(line string) {
	s.t.Helper()
	s.term.typeKeys(s.t, line+"\r")
	s.prompt()
}

// args waits for the arguments of an npy that runs.
func (s *shellSession) args() ([]string, error) {
	text, err := s.read(s.ran)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil, err
	}
	args := make([]string, n)
	for i := range args {
		if args[i], err = s.read(s.ran); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// tab types text and a key that completes, and returns the line after it.
func (s *shellSession) tab(text, key string) string {
	s.t.Helper()
	s.term.typeKeys(s.t, text+key+"\x18\x04")
	line, err := s.read(s.line)
	if err != nil {
		s.t.Fatal(err)
	}
	return line
}

// clear removes the line.
func (s *shellSession) clear() { s.term.typeKeys(s.t, "\x15") }

// run runs the line that the shell has, and returns the arguments of npy. The shell cannot be used after an error.
func (s *shellSession) run(line string) ([]string, error) {
	s.t.Helper()
	end := " " // a list that is open closes
	if l, ok := shell.Parse(s.kind, line); ok && l.Word.Open != 0 {
		end = string(l.Word.Open)
	}
	s.term.typeKeys(s.t, "\x05"+end+"\r") // zsh leaves the cursor before the quote that it closes
	args, err := s.args()
	if err != nil {
		return nil, err
	}
	s.prompt()
	return args, nil
}
