package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"golang.org/x/term"
)

// screen returns the characters in a line of the terminal that is written to, and its lines.
func (a *app) screen() (width, height int, ok bool) {
	f, isFile := a.out.(*os.File)
	if !isFile {
		return 0, 0, false
	}
	width, height, err := term.GetSize(int(f.Fd()))
	return width, height, err == nil && width > 0 && height > 0
}

// page has what is longer than the screen go to a pager from now on, if somebody is looking. The caller calls end when
// all is written.
func (a *app) page(never bool) (end func() error) {
	width, height, ok := a.screen()
	command := pagerCommand(os.Getenv)
	if !ok || never || len(command) == 0 {
		return func() error { return nil }
	}
	out := a.out
	p := &pager{out: out, command: command, width: width, height: height}
	a.out = p
	return func() error {
		a.out = out
		return p.close()
	}
}

// pagerCommand returns what to run, nothing for no pager. PAGER may have arguments, and cat is none.
func pagerCommand(env func(string) string) []string {
	text := env("PAGER")
	if text == "" {
		text = "less"
	}
	command := strings.Fields(text)
	if len(command) == 0 || command[0] == "cat" {
		return nil
	}
	return command
}

// A pager holds text back until there is more than the screen has room for, and then gives it to a program.
type pager struct {
	out           io.Writer
	command       []string
	width, height int
	lines, column int // so far
	held          bytes.Buffer
	to            io.Writer // where text goes once it is not held
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

// count adds up the lines that text takes on the screen. Codes for colours count as if they were seen.
func (p *pager) count(text []byte) {
	for _, c := range text {
		if p.column++; c == '\n' || p.column > p.width {
			p.lines, p.column = p.lines+1, 0
		}
	}
}

// start runs the program; if that cannot be done, text goes to the screen. Less lets colours through and long lines be, and
// leaves the text on the screen, unless LESS says otherwise.
func (p *pager) start() {
	p.to = p.out
	c := exec.Command(p.command[0], p.command[1:]...)
	c.Stdout, c.Stderr = p.out, os.Stderr
	c.Env = append(os.Environ(), "LESSCHARSET=utf-8")
	if os.Getenv("LESS") == "" {
		c.Env = append(c.Env, "LESS=FRSX")
	}
	in, err := c.StdinPipe()
	if err != nil || c.Start() != nil {
		return
	}
	signal.Ignore(os.Interrupt) // which is for the pager
	p.to = in
	p.stop = func() error {
		in.Close()
		return c.Wait()
	}
}

// close prints what is held, or waits until nobody is looking any more.
func (p *pager) close() error {
	if p.stop != nil {
		p.stop() // its exit code is about itself
		return nil
	}
	_, err := p.out.Write(p.held.Bytes())
	return err
}
