package terminal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"golang.org/x/term"
)

// Is reports whether a stream is a terminal.
func Is(stream any) bool {
	f, ok := fileOf(stream)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Size returns the width of a terminal in characters and its height in lines. ok is false if out is not a terminal.
func Size(out io.Writer) (width, height int, ok bool) {
	f, isFile := fileOf(out)
	if !isFile {
		return 0, 0, false
	}
	width, height, err := term.GetSize(int(f.Fd()))
	return width, height, err == nil && width > 0 && height > 0
}

// Page returns a writer that sends text longer than the screen to a pager. If out is not a terminal or the environment
// names no pager, the writer is out itself. The caller calls end after the last write.
func Page(out io.Writer) (w io.Writer, end func() error) {
	width, height, ok := Size(out)
	command := pagerCommand(os.Getenv)
	if !ok || len(command) == 0 {
		return out, func() error { return nil }
	}
	p := &pager{out: out, command: command, width: width, height: height}
	return p, p.close
}

// pagerCommand returns the command line of the pager, or nil for none. PAGER may have arguments, and cat counts as
// none. A dumb terminal has no pager, because pagers send codes.
func pagerCommand(env func(string) string) []string {
	text := env("PAGER")
	if env("TERM") == "dumb" {
		return nil
	}
	if text == "" {
		text = "less"
	}
	command := strings.Fields(text)
	if len(command) == 0 || command[0] == "cat" {
		return nil
	}
	return command
}

// A pager buffers text until there is more than fits on the screen, then passes it to a program.
type pager struct {
	out           io.Writer
	command       []string
	width, height int
	header        int // lines at the top that stay there while the rest is scrolled
	lines, column int // so far
	held          bytes.Buffer
	to            io.Writer // receives the text once it is not buffered
	stop          func() error
}

// Write implements io.Writer.
func (p *pager) Write(text []byte) (int, error) {
	if p.to != nil {
		return p.to.Write(text)
	}
	p.held.Write(text)
	if p.count(text); p.lines < p.height {
		return len(text), nil
	}
	p.start()
	_, err := p.to.Write(p.held.Bytes())
	p.held = bytes.Buffer{}
	return len(text), err
}

// count counts the lines that text takes on the screen. Escape sequences for colours count as visible characters.
func (p *pager) count(text []byte) {
	for _, c := range text {
		if p.column++; c == '\n' || p.column > p.width {
			p.lines, p.column = p.lines+1, 0
		}
	}
}

// start runs the program. If it cannot be run, text goes to the screen. Unless LESS says otherwise, less passes
// colours through, does not wrap long lines, and leaves the text on the screen.
func (p *pager) start() {
	p.to = p.out
	c := exec.Command(p.command[0], append(p.command[1:len(p.command):len(p.command)], headerArgs(p.command[0], p.header)...)...)
	c.Stdout, c.Stderr = p.out, os.Stderr
	if f, ok := fileOf(p.out); ok { // the program itself writes to the terminal
		c.Stdout = f
	}
	c.Env = append(os.Environ(), "LESSCHARSET=utf-8")
	if os.Getenv("LESS") == "" {
		c.Env = append(c.Env, "LESS=FRSX")
	}
	in, err := c.StdinPipe()
	if err != nil || c.Start() != nil {
		return
	}
	signal.Ignore(os.Interrupt) // interrupts are for the pager
	p.to = in
	p.stop = func() error {
		in.Close()
		return c.Wait()
	}
}

// SetHeader keeps the first lines written to w at the top of the screen while the rest is scrolled, if w is from
// [Page] and the pager is a less that can do so. It must be called before the first write.
func SetHeader(w io.Writer, lines int) {
	if p, ok := w.(*pager); ok {
		p.header = lines
	}
}

// headerVersion is the first version of less with --header.
const headerVersion = 608

// headerArgs returns the arguments for a header of some lines.
func headerArgs(program string, lines int) []string {
	if lines == 0 || filepath.Base(program) != "less" {
		return nil
	}
	text, err := exec.Command(program, "--version").Output()
	var version int
	if _, scanErr := fmt.Sscanf(string(text), "less %d", &version); err != nil || scanErr != nil || version < headerVersion {
		return nil
	}
	return []string{fmt.Sprintf("--header=%d", lines)}
}

// close prints the buffered text, or waits for the end of the program.
func (p *pager) close() error {
	if p.stop != nil {
		p.stop() // its exit code does not matter here
		return nil
	}
	_, err := p.out.Write(p.held.Bytes())
	return err
}
