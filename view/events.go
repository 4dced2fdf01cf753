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

// events tells a page which files have changed, until it is closed.
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
			tag, changed := h.answers.Changed(f)
			if !changed || tag == told[f] {
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
