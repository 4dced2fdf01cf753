//go:build !purego

package browser

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A notebook shows the page in a frame if it may, and sees nothing of it if not.
func TestFrame(t *testing.T) {
	var frame string
	notebook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>notebook</title><iframe src="%s" width="1000" height="700"></iframe>`, frame)
	}))
	defer notebook.Close()
	origin := strings.Replace(notebook.URL, "127.0.0.1", "localhost", 1) // of another site than the page
	path := writeNPY(t, "a.npy", make([]float32, 100), 10, 10)
	for _, x := range []struct {
		allowed string
		shown   bool
	}{{origin, true}, {"http://elsewhere.example", false}} {
		frame = serve(t, "--allow-frame", x.allowed, path) + "#map=viridis&lo=0&hi=1&aspect=fill"
		p := open(t, origin, "frame", "ERR_BLOCKED")
		purple := func() bool {
			shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			im, err := png.Decode(bytes.NewReader(shot))
			if err != nil {
				t.Fatal(err)
			}
			r, g, b, _ := im.At(400, 400).RGBA()
			return r>>8 > 50 && r>>8 < 90 && g>>8 < 30 && b>>8 > 60
		}
		seen := false
		for range 300 {
			if seen = purple(); seen == x.shown && x.shown {
				break
			}
			if !x.shown && eval[bool](p, "document.readyState === 'complete'") {
				break
			}
			time.Sleep(100 * time.Millisecond) // a page cannot look into a frame of another site
		}
		p.picture(strings.ReplaceAll(t.Name()+x.allowed, "/", "_"))
		if seen != x.shown {
			t.Errorf("allowed for %s, the frame of %s is shown: %v", x.allowed, origin, seen)
		}
	}
}
