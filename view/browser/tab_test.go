//go:build !purego

package browser

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/npygo/npy/internal/built"
)

// chromium returns the path of the browser. Without one the test is skipped, and fails in CI.
func chromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("there is no chromium: apt-get install chromium")
	}
	t.Skip("there is no chromium: apt-get install chromium")
	return ""
}

// shared are the browser and the command that all tests use.
var shared struct {
	browser sync.Once
	ctx     context.Context
	err     error

	command sync.Once
	npy     string
	built   error
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "npy-browser-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shared.npy = filepath.Join(dir, "npy")
	ctx, stop := context.WithCancel(context.Background())
	shared.ctx = ctx
	code := m.Run()
	if chromedp.FromContext(shared.ctx) != nil {
		_ = chromedp.Cancel(shared.ctx) // waits for the browser's end
	}
	stop()
	os.RemoveAll(dir)
	os.Exit(code)
}

// command builds the command once and returns its path.
func command(t testing.TB) string {
	t.Helper()
	shared.command.Do(func() {
		shared.built = built.Command(shared.npy)
	})
	if shared.built != nil {
		t.Fatal(shared.built)
	}
	return shared.npy
}

// A tab is one tab of the browser with one page.
type tab struct {
	t   testing.TB
	ctx context.Context
}

// open opens an address in a tab of 1280x800. The test fails if the page writes to the console; allow are texts that such
// messages may contain.
func open(t testing.TB, url string, allow ...string) *tab {
	t.Helper()
	return openSized(t, url, 1280, 800, allow...)
}

func openSized(t testing.TB, url string, width, height int64, allow ...string) *tab {
	t.Helper()
	path := chromium(t)
	shared.browser.Do(func() {
		allocator, _ := chromedp.NewExecAllocator(shared.ctx, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
			chromedp.NoSandbox, chromedp.DisableGPU, chromedp.ExecPath(path), chromedp.Flag("disable-dev-shm-usage", true),
			chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("disable-background-timer-throttling", true),
			chromedp.Flag("disable-renderer-backgrounding", true), chromedp.Flag("disable-backgrounding-occluded-windows", true),
			chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-background-networking", true))
		shared.ctx, _ = chromedp.NewContext(allocator)
		shared.err = chromedp.Do(shared.ctx)
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	ctx, cancel := chromedp.NewContext(shared.ctx)
	p := &tab{t, ctx}
	messages := chromedp.Console(ctx)
	var lines []string
	read := make(chan struct{})
	go func() {
		defer close(read)
		for m, err := range messages {
			if err != nil {
				return
			}
			lines = append(lines, m.String())
		}
	}()
	t.Cleanup(func() {
		if t.Failed() {
			p.picture(t.Name())
		}
		cancel()
		<-read
		for _, line := range lines {
			if !containsAny(line, allow) {
				t.Errorf("the console has: %s", line)
			}
		}
	})
	p.do(chromedp.EmulateViewport(width, height), chromedp.Navigate(url))
	return p
}

func containsAny(line string, texts []string) bool {
	for _, text := range texts {
		if strings.Contains(line, text) {
			return true
		}
	}
	return false
}

// patience is the time that a page may take for anything.
const patience = time.Minute

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// eval returns the value of an expression, and of a promise when it is kept.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// wait waits until an expression is true.
func (p *tab) wait(expression string) {
	p.t.Helper()
	end := time.Now().Add(patience)
	for !eval[bool](p, "Boolean("+expression+")") {
		if time.Now().After(end) {
			p.t.Fatalf("after %v this is still false: %s\nthe page says: %.2000s", patience, expression, eval[string](p, "document.body.innerText"))
		}
		time.Sleep(10 * time.Millisecond) // a condition in the page tells nobody that it holds
	}
}

// text returns the text of the first element of a selector, "" without one.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf("(document.querySelector(%q)?.textContent ?? '').trim()", selector))
}

// keys presses keys, one after the other, as a keyboard does: a key that the page has taken types nothing.
func (p *tab) keys(keys string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...), func(e *input.DispatchKeyEventParams) {
		if e.Type == kb.KeyDown {
			e.Type = kb.KeyRawDown
		}
	}))
}

// pixels returns the pixels of the canvas of a selector.
func (p *tab) pixels(selector string) *image.NRGBA {
	p.t.Helper()
	type canvas struct {
		W, H int
		Data string
	}
	c := eval[canvas](p, fmt.Sprintf(`(async () => {
		const c = document.querySelector(%q);
		const copy = new OffscreenCanvas(c.width, c.height).getContext('2d', {willReadFrequently: true});
		copy.drawImage(c, 0, 0);
		const d = copy.getImageData(0, 0, c.width, c.height).data;
		const url = await new Promise((done) => {
			const r = new FileReader();
			r.onload = () => done(r.result);
			r.readAsDataURL(new Blob([d]));
		});
		return {W: c.width, H: c.height, Data: url.slice(url.indexOf(',') + 1)};
	})()`, selector))
	data, err := base64.StdEncoding.DecodeString(c.Data)
	if err != nil || len(data) != 4*c.W*c.H {
		p.t.Fatalf("%s: %d bytes for %dx%d pixels: %v", selector, len(data), c.W, c.H, err)
	}
	return &image.NRGBA{Pix: data, Stride: 4 * c.W, Rect: image.Rect(0, 0, c.W, c.H)}
}

// picture writes a picture of the page into the folder that NPY_PICTURES names, if it is set.
func (p *tab) picture(name string) {
	dir := os.Getenv("NPY_PICTURES")
	if dir == "" {
		return
	}
	data, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, "/", "_")+".png"), data, 0o644)
	}
	if err != nil {
		p.t.Log(err)
	}
}

// serve starts npy view on files and returns the address of the page.
func serve(t testing.TB, args ...string) string {
	t.Helper()
	chromium(t) // without a browser there is nothing to do
	return startView(t, args...).url
}

// A process is a running npy view.
type process struct {
	cmd *exec.Cmd
	url string
}

func startView(t testing.TB, args ...string) *process {
	t.Helper()
	cmd := exec.Command(command(t), append([]string{"view", "--no-open"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		kill := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		if !kill.Stop() {
			t.Errorf("the command did not end after an interrupt: %v", err)
		}
		if t.Failed() && stderr.Len() > 0 {
			t.Logf("the command said: %s", stderr.Bytes())
		}
	})
	var line []byte
	for one := make([]byte, 1); ; {
		if _, err := stdout.Read(one); err != nil {
			t.Fatalf("the command printed %q and no address: %v: %s", line, err, stderr.Bytes())
		}
		if one[0] == '\n' {
			break
		}
		line = append(line, one[0])
	}
	if !bytes.HasPrefix(line, []byte("http://127.0.0.1:")) {
		t.Fatalf("the command printed %q, which is no address of this machine", line)
	}
	return &process{cmd, string(line)}
}
