//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/npz"
)

// A screen is a terminal of tmux.
type screen struct {
	t             *testing.T
	socket, dir   string
	width, height int
}

// newScreen starts a terminal in a folder that has npy, or skips the test without tmux.
func newScreen(t *testing.T, dir string, width, height int) *screen {
	t.Helper()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	s := &screen{t: t, socket: filepath.Join(t.TempDir(), "s"), dir: dir, width: width, height: height}
	cmd := exec.Command(tmux, "-S", s.socket, "-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "exec env PS1= ENV= sh")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMUX=", "LC_ALL=C.UTF-8", "PAGER=", "LESS=", "NO_COLOR=", "COLORTERM=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("no terminal: %v, %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command(tmux, "-S", s.socket, "kill-server").Run() })
	return s
}

func (s *screen) tmux(args ...string) string {
	s.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...).Output()
	if err != nil {
		s.t.Fatal(args, err)
	}
	return string(out)
}

// run runs a command line and returns its lines. A line that the terminal has wrapped is one line. The end of the command
// is recognised by a mark; a pager does not end, and show waits for its text.
func (s *screen) run(line, until string) []string {
	s.t.Helper()
	s.tmux("send-keys", "-R")
	s.tmux("clear-history")
	s.tmux("send-keys", "-l", "clear; "+line+"; echo DO''NE")
	s.tmux("send-keys", "Enter")
	var text string
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) { // a terminal does not say when it has drawn
		text = s.tmux("capture-pane", "-p", "-e", "-J", "-S", "-")
		if strings.Contains(text, until) {
			break
		}
	}
	if !strings.Contains(text, until) {
		s.t.Fatalf("%s at %dx%d: no %q on the screen:\n%s", line, s.width, s.height, until, text)
	}
	var lines []string
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, " \n")
		if l == "DONE" {
			break
		}
		lines = append(lines, l)
	}
	if len(lines) > 0 && strings.HasPrefix(lines[0], "clear; ") {
		lines = lines[1:]
	}
	return lines
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

// writeScreens writes the arrays of TestScreens.
func writeScreens(t *testing.T, dir string) {
	t.Helper()
	var fields []dtype.Field
	for i := range 20 {
		kind := []dtype.Type{dtype.Float64, dtype.Int32, dtype.Bool, dtype.Float32}[i%4]
		fields = append(fields, dtype.Field{Name: fmt.Sprintf("channel_%02d", i), DType: kind, Offset: 8 * i})
	}
	record, err := dtype.Struct(160, fields...)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 160*300)
	for i := range data {
		data[i] = byte(i*i%251) & 0x3f
		if i%8 == 0 && i/8%4 == 2 {
			data[i] &= 1
		}
	}
	a, err := npy.FromBytes(record, data, 300)
	if err != nil {
		t.Fatal(err)
	}
	xs := make([]float64, 1000*1000)
	for i := range xs {
		xs[i] = float64(i%997) / 7
	}
	square, err := npy.FromSlice(xs, 1000, 1000)
	if err != nil {
		t.Fatal(err)
	}
	other, err := npy.FromSlice(append([]float64{-1}, xs[1:]...), 1000, 1000)
	if err != nil {
		t.Fatal(err)
	}
	small, err := npy.FromSlice([]float32{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	for name, array := range map[string]*npy.Array{"records.npy": a, "square.npy": square, "other.npy": other, "small.npy": small} {
		if err := npy.WriteFile(filepath.Join(dir, name), array); err != nil {
			t.Fatal(err)
		}
	}
	w, err := npz.Create(filepath.Join(dir, "model.npz"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if err := w.Add(fmt.Sprintf("model/encoder/layer_%03d/attention/self/query/kernel_weight", i), small); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, filepath.Join(dir, "npy")); err != nil {
		t.Fatal(err)
	}
}

// The output of the command fits terminals of two sizes, and says as much as a wide line.
func TestScreens(t *testing.T) {
	dir := t.TempDir()
	writeScreens(t, dir)
	for _, size := range [][2]int{{80, 24}, {200, 50}} {
		width, height := size[0], size[1]
		s := newScreen(t, dir, width, height)
		for _, tt := range []struct {
			line string
			want []string // texts of some line, at 80 columns and at 200 if they differ
		}{
			{"./npy stats records.npy", []string{"FIELD", "channel_19 "}},
			{"./npy stats --quantiles 0.5 square.npy", []string{"mean          71.", "argmax        (0, 996)"}},
			{"./npy ls model.npz", []string{"layer_039/…/kernel_weight  float32  (3,)|layer_039/attention/self/query/kernel_weight  float32  (3,)", "40 members"}},
			{"./npy ls --tree model.npz", []string{"└── layer_039/"}},
			{"./npy info model.npz", []string{"layer_000/…/kernel_weight  float32  <f4|layer_000/attention/self/query/kernel_weight  float32  <f4"}},
			{"./npy diff square.npy other.npy", []string{"1 of 1000000 differ", "first, worst|-1.0"}},
			{"./npy show square.npy", []string{"..."}},
		} {
			lines := s.run(tt.line, "DONE")
			text := escapes.ReplaceAllString(strings.Join(lines, "\n"), "")
			for l := range strings.SplitSeq(text, "\n") {
				if n := npy.TextWidth(l); n > width {
					t.Errorf("%s at %dx%d: a line of %d characters: %s", tt.line, width, height, n, l)
				}
			}
			for _, want := range tt.want {
				any := false
				for w := range strings.SplitSeq(want, "|") {
					any = any || strings.Contains(text, w)
				}
				if !any {
					t.Errorf("%s at %dx%d: no %q in\n%s", tt.line, width, height, want, text)
				}
			}
		}
		testColumns(t, s)
		testColours(t, s)
	}
}

// testColumns checks that show fills the lines with columns.
func testColumns(t *testing.T, s *screen) {
	t.Helper()
	lines := s.run("./npy show --color never square.npy", "DONE")
	if len(lines) != 7 || s.width-npy.TextWidth(lines[0]) > 30 {
		t.Errorf("%d columns: %d lines, the first %q", s.width, len(lines), lines)
	}
}

// testColours checks that a dumb terminal gets no codes and no pager, and others do.
func testColours(t *testing.T, s *screen) {
	t.Helper()
	for line, want := range map[string]bool{
		"./npy diff square.npy other.npy":            true,
		"NO_COLOR=1 ./npy diff square.npy other.npy": false,
		"TERM=dumb ./npy diff square.npy other.npy":  false,
		"./npy show small.npy":                       true,
		"TERM=dumb ./npy show --full records.npy":    false,
	} {
		text := strings.Join(s.run(line, "DONE"), "\n")
		if got := escapes.MatchString(strings.ReplaceAll(text, "\x1b[39m", "")); got != want {
			t.Errorf("%s: colours %v, want %v: %.200q", line, got, want, text)
		}
	}
	if _, err := exec.LookPath("less"); err == nil {
		if text := s.tmux("capture-pane", "-p"); strings.Contains(text, "channel_00") {
			s.tmux("send-keys", "-R") // remains of the last command
		}
		lines := s.run("./npy show --full records.npy", "channel_00")
		if len(lines) > s.height+1 {
			t.Errorf("%dx%d: %d lines without a pager", s.width, s.height, len(lines))
		}
		s.tmux("send-keys", "q")
	}
}
