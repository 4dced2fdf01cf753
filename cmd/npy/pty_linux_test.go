package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A pty is a terminal in which a program runs.
type pty struct {
	keys *os.File // typed text; the program's output is read from it, too
	cmd  *exec.Cmd

	mu     sync.Mutex
	more   *sync.Cond
	ended  bool
	screen bytes.Buffer // all that was printed
}

// patience is how long a program in a terminal may take before it is said to hang. A busy machine makes it slow.
const patience = 2 * time.Minute

// startPTY starts a program in a terminal of its own. It ends with the test.
func startPTY(t testing.TB, cmd *exec.Cmd) *pty {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminal: ", err)
	}
	t.Cleanup(func() { keys.Close() })
	var number int
	raw, err := keys.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	cerr := raw.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err != nil {
			return
		}
		if number, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN); err != nil {
			return
		}
		err = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 200})
	})
	if cerr != nil || err != nil {
		t.Fatal(cerr, err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p := &pty{keys: keys, cmd: cmd}
	p.more = sync.NewCond(&p.mu)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go p.read()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	return p
}

// read reads the output of the program until it has ended.
func (p *pty) read() {
	b := make([]byte, 4096)
	for {
		n, err := p.keys.Read(b)
		p.mu.Lock()
		p.screen.Write(b[:n])
		p.ended = err != nil
		p.more.Broadcast()
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// wait waits until the program has printed a text. It returns all that was printed since the last wait.
func (p *pty) wait(t testing.TB, text string) string {
	t.Helper()
	tooLong := time.AfterFunc(patience, func() { p.keys.Close() })
	defer tooLong.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for !strings.Contains(p.screen.String(), text) {
		if p.ended {
			t.Fatalf("the terminal ended without %q: %q", text, p.screen.String())
		}
		p.more.Wait()
	}
	defer p.screen.Reset()
	return p.screen.String()
}

// shown returns the output of the program since the last wait.
func (p *pty) shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.String()
}

// output waits for the end of the program and returns all that it has printed.
func (p *pty) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.ended {
		p.more.Wait()
	}
	return p.screen.String()
}

// typeKeys types text.
func (p *pty) typeKeys(t testing.TB, text string) {
	t.Helper()
	if _, err := io.WriteString(p.keys, text); err != nil {
		t.Fatal(err)
	}
}
