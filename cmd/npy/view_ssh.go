package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/spf13/pflag"
)

// onlyHere are the flags of view that say what happens on this machine.
var onlyHere = map[string]bool{"ssh": true, "port": true, "no-open": true}

// viewThere shows files of another machine: it runs the same command there by ssh, which forwards a port to the page. The command
// gets a terminal, so that it ends with the connection.
func (a *app) viewThere(host string, port int, noOpen bool, given *pflag.FlagSet, args []string) error {
	if strings.HasPrefix(host, "-") {
		return fmt.Errorf("--ssh %s: this is no host", host)
	}
	local, err := freePort(port)
	if err != nil {
		return err
	}
	remote, err := freePort(0)
	for err == nil && remote == local {
		remote, err = freePort(0)
	}
	if err != nil {
		return err
	}
	words := []string{"npy", "view", "--no-open", "--port=" + strconv.Itoa(remote)}
	given.Visit(func(f *pflag.Flag) {
		if !onlyHere[f.Name] {
			words = append(words, flagWords(f)...)
		}
	})
	words = append(append(words, "--"), args...)
	for i, w := range words {
		words[i] = shellQuote(w)
	}
	c := exec.CommandContext(a.ctx, "ssh", "-tt", "-o", "ExitOnForwardFailure=yes", "-L", fmt.Sprintf("127.0.0.1:%d:127.0.0.1:%d", local, remote), host, strings.Join(words, " "))
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 5 * time.Second
	c.Stderr = a.err
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return fmt.Errorf("--ssh needs the program ssh: %w", err)
	}
	remove, shown := a.showThere(out, local, remote, noOpen)
	defer remove()
	err = c.Wait()
	exit := (*exec.ExitError)(nil)
	switch {
	case a.ctx.Err() != nil:
		return context.Cause(a.ctx)
	case errors.As(err, &exit) && exit.ExitCode() == 127 && !shown:
		return diagnose.Of(host, fmt.Errorf("ssh finds no npy there: install it in a folder that \"ssh %s 'echo $PATH'\" names", host))
	case errors.As(err, &exit):
		err = fmt.Errorf("ssh ended with status %d", exit.ExitCode())
	}
	return diagnose.Of(host, err)
}

// showThere prints what the other side says, and opens the page once it has said its address. It returns when the other side has
// said all.
func (a *app) showThere(out io.Reader, local, remote int, noOpen bool) (remove func(), shown bool) {
	remove = func() {}
	address := regexp.MustCompile(fmt.Sprintf(`^http://127\.0\.0\.1:%d(/[A-Za-z0-9_-]+/)$`, remote))
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		line := strings.TrimRight(lines.Text(), "\r")
		found := address.FindStringSubmatch(line)
		switch {
		case shown || found == nil:
			if line != "" {
				fmt.Fprintln(a.err, line)
			}
			continue
		case noOpen:
			fmt.Fprintf(a.out, "http://127.0.0.1:%d%s\n", local, found[1])
		default:
			remove = a.open(fmt.Sprintf("http://127.0.0.1:%d%s", local, found[1]))
		}
		shown = true
	}
	_, _ = io.Copy(io.Discard, out) // a line without end, and then what follows
	return remove, shown
}

// freePort returns the wanted port of this machine, or any for 0. It is an error if another program has it.
func freePort(wanted int) (int, error) {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(wanted)))
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// flagWords returns the words that give a flag its value again.
func flagWords(f *pflag.Flag) (words []string) {
	values := []string{f.Value.String()}
	switch v := f.Value.(type) {
	case pflag.SliceValue:
		values = v.GetSlice()
	case limits.Limits:
		values = v.Values()
	}
	for _, v := range values {
		words = append(words, "--"+f.Name+"="+v)
	}
	return words
}

// shellQuote returns a word as the shell of the other machine reads it.
func shellQuote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
