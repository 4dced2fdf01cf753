package view

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// eventsName is the address of the events, which the page follows while it is seen.
const eventsName = "events"

// events tells a page the ETag of each file, and again whenever it is another one, until the page is closed. The page compares
// it with what it has read. So a change is not lost when a file cannot be opened for a while, when another page has opened
// it again, or when the connection breaks.
func (h *Handler) events(ctx context.Context, w http.ResponseWriter) {
	h.mu.Lock()
	h.pages++
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.pages--
		h.left = time.Now()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(text string) bool {
		wait(w)
		_, err := io.WriteString(w, text)
		return err == nil && http.NewResponseController(w).Flush() == nil
	}
	if !send(": hello\n\n") {
		return
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	told := make([]string, h.answers.Len())
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for f := range told {
			tag := h.answers.ETag(f)
			if tag == told[f] {
				continue
			}
			told[f] = tag
			data, _ := json.Marshal(map[string]any{"f": f, "etag": tag}) // always has JSON
			if !send("event: changed\ndata: " + string(data) + "\n\n") {
				return
			}
		}
		if n%15 == 0 && !send(": still here\n\n") {
			return
		}
	}
}
