//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/npygo/npy"
)

// sshServer starts a server of ssh on this machine, whose commands find this test as npy, and puts an ssh that knows the server as
// "there" at the front of the path.
func sshServer(t *testing.T) {
	t.Helper()
	programs := map[string]string{"sshd": "", "ssh": "", "ssh-keygen": ""}
	for name := range programs {
		path, err := exec.LookPath(name)
		if err != nil && name == "sshd" {
			path, err = exec.LookPath("/usr/sbin/sshd")
		}
		if err != nil {
			t.Skip(name, " is not installed")
		}
		programs[name] = path
	}
	if os.Getuid() == 0 {
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, name := range []string{"host", "user"} {
		if out, err := exec.Command(programs["ssh-keygen"], "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(must(os.Executable()), filepath.Join(bin, "npy")); err != nil {
		t.Fatal(err)
	}
	port := must(freePort(0))
	server := file("sshd.conf", fmt.Sprintf("Port %d\nListenAddress 127.0.0.1\nHostKey %s/host\nAuthorizedKeysFile %s/user.pub\nStrictModes no\nUsePAM no\nPidFile none\nSetEnv PATH=%s:/usr/bin:/bin\n", port, dir, dir, bin), 0o600)
	client := file("ssh.conf", fmt.Sprintf("Host there nobody\nHostName 127.0.0.1\nPort %d\nIdentityFile %s/user\nStrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\nBatchMode yes\n", port, dir), 0o600)
	local := filepath.Join(dir, "local")
	if err := os.Mkdir(local, 0o755); err != nil {
		t.Fatal(err)
	}
	file("local/ssh", fmt.Sprintf("#!/bin/sh\nexec %s -F %s \"$@\"\n", programs["ssh"], client), 0o755)
	t.Setenv("PATH", local+":"+os.Getenv("PATH"))
	sshd := exec.Command(programs["sshd"], "-D", "-e", "-f", server)
	said, err := sshd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := sshd.Start(); err != nil {
		t.Fatal(err)
	}
	log := &talked{}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		fmt.Fprintln(log, lines.Text())
		if strings.Contains(lines.Text(), "listening") {
			break
		}
	}
	rest := make(chan error, 1)
	go func() { _, err := io.Copy(log, said); rest <- err }()
	t.Cleanup(func() {
		_ = sshd.Process.Kill()
		<-rest
		_ = sshd.Wait()
		if t.Failed() {
			t.Log(log)
		}
	})
	if out, err := exec.Command("ssh", "there", "true").CombinedOutput(); err != nil {
		t.Skipf("no server of ssh can be started here: %v: %s%s", err, out, log)
	}
}

// A file of another machine is seen through ssh, whatever its name is, and npy ends there with the command here.
func TestViewOverSSH(t *testing.T) {
	sshServer(t)
	path := filepath.Join(t.TempDir(), `it's "a" $HOME; exit 3.npy`)
	if err := npy.Save(path, []int32{7, 8, 9}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, in := io.Pipe()
	talk := &talked{}
	a := newApp(strings.NewReader(""), in, talk)
	a.ctx = ctx
	done := make(chan int, 1)
	token := filepath.Join(t.TempDir(), "token")
	go func() {
		done <- a.run([]string{"view", "--ssh", "there", "--no-open", "--idle", "30s", "--token-file", token, "--limit", "MaxText=1M", "--limit", "MaxRow=none", path})
		in.Close()
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, talk.String())
	}
	address = strings.TrimSpace(address)
	if secret := strings.TrimSpace(string(must(os.ReadFile(token)))); !strings.HasSuffix(address, "/"+secret+"/") {
		t.Errorf("the address is %s, and the secret %s", address, secret)
	}
	ask := func() (string, error) {
		r := must(http.NewRequestWithContext(t.Context(), http.MethodGet, address+"cells?f=0&at=y", nil))
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			return "", err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		return string(body), err
	}
	if text, err := ask(); err != nil || !strings.Contains(text, `[["7"],["8"],["9"]]`) {
		t.Errorf("%s %v\n%s", text, err, talk.String())
	}
	stop()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("the command goes on")
	}
	if _, err := ask(); err == nil {
		t.Error("the page still answers")
	}
}

// A host without npy, a file that is not there, and a host that is an option.
func TestViewOverSSHFails(t *testing.T) {
	sshServer(t)
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"--ssh", "there", "/nowhere/a.npy"}, "no such file"},
		{[]string{"--ssh", "-oProxyCommand=touch x", "a.npy"}, "this is no host"},
		{[]string{"--ssh", "no.such.host.invalid", "a.npy"}, "ended with status 255"},
	} {
		talk := &talked{}
		a := newApp(strings.NewReader(""), io.Discard, talk)
		a.ctx = t.Context()
		if code := a.run(append([]string{"view", "--no-open"}, x.args...)); code == exitDone || !strings.Contains(talk.String(), x.want) {
			t.Errorf("%q: code %d, %s", x.args, code, talk.String())
		}
	}
}

// A talked is what a command says, from several goroutines.
type talked struct {
	mu   sync.Mutex
	text strings.Builder
}

func (t *talked) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

func (t *talked) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}
