//go:build js

// Wasm answers the questions of the page of npy view in a Web Worker, about files that the browser hands over. Nothing is
// uploaded. It is compiled with GOOS=js GOARCH=wasm, and worker.ts in view/page starts it.
//
// The program first sends {ready: ".npy, .npz, …"}, the endings of files that can be opened. The page sends messages, and gets
// messages with the same id:
//
//	{open: [File…]}                        adds files; answered by {opened: number of files}
//	{id, question, params}                 asks; params as in a URL
//	{abort: id}                            ends a question
//	{id, head: {status, type, etag, filename}}, then {id, chunk: ArrayBuffer}…, then {id, end: true}
//
// A question that fails is answered by a head with its status and {"error": …}. A question that fails after its head is
// answered by {id, error}.
//
// The program has one thread, so its reads (file.go) let messages in every 50 ms: that is how an abort ends a
// question.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"syscall/js"

	"github.com/npygo/npy/view/internal/answer"
)

func main() {
	p := &page{worker: js.Global(), running: map[int]context.CancelFunc{}, answers: answer.New(nil)}
	p.worker.Set("onmessage", js.FuncOf(p.receive))
	p.worker.Call("postMessage", map[string]any{"ready": endings()})
	select {}
}

// A page is the other side of the worker. JavaScript has one thread, so its methods never run at the same time.
type page struct {
	worker  js.Value
	inputs  []answer.Input
	answers *answer.Answers
	running map[int]context.CancelFunc
}

// receive handles a message. A question is answered by a goroutine.
func (p *page) receive(_ js.Value, args []js.Value) any {
	message := args[0].Get("data")
	switch {
	case message.Get("open").Truthy():
		files := message.Get("open")
		for i := range files.Length() {
			p.inputs = append(p.inputs, input(files.Index(i)))
		}
		// Questions about the files before go on with the answers before.
		p.answers = answer.New(p.inputs)
		p.worker.Call("postMessage", map[string]any{"opened": len(p.inputs)})
	case message.Get("question").Truthy():
		id := message.Get("id").Int()
		ctx, cancel := context.WithCancel(context.Background())
		p.running[id] = cancel
		go func() {
			defer cancel()
			defer delete(p.running, id)
			p.answer(ctx, id, message.Get("question").String(), message.Get("params").String())
		}()
	case message.Get("abort").Type() == js.TypeNumber:
		if cancel := p.running[message.Get("abort").Int()]; cancel != nil {
			cancel()
		}
	}
	return nil
}

func (p *page) answer(ctx context.Context, id int, question, params string) {
	w := &writer{worker: p.worker, id: id}
	q, err := url.ParseQuery(params)
	if err == nil {
		err = ask(ctx, p.answers, question, q, w)
	}
	switch {
	case err != nil && w.begun:
		p.worker.Call("postMessage", map[string]any{"id": id, "error": err.Error()})
		return
	case err != nil:
		w.fail(err)
	}
	w.Flush()
	p.worker.Call("postMessage", map[string]any{"id": id, "end": true})
}

// ask is Answer without panics, which would end the program and with it the page.
func ask(ctx context.Context, a *answer.Answers, question string, q url.Values, w answer.Writer) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a fault of the program: %v", r)
		}
	}()
	return a.Answer(ctx, question, q, w)
}

// A writer sends an answer to the page.
type writer struct {
	worker js.Value
	id     int
	begun  bool
	buf    []byte
}

const chunk = 1 << 20

// Head sends the head of the answer.
func (w *writer) Head(h answer.Head) { w.head(200, h) }

func (w *writer) head(status int, h answer.Head) {
	w.begun = true
	w.worker.Call("postMessage", map[string]any{"id": w.id, "head": map[string]any{
		"status": status, "type": h.Type, "etag": h.ETag, "filename": h.Filename,
	}})
}

// Write keeps p until there is a chunk of the answer.
func (w *writer) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	if len(w.buf) >= chunk {
		w.Flush()
	}
	return len(p), nil
}

// Flush sends the written bytes.
func (w *writer) Flush() {
	if len(w.buf) == 0 {
		return
	}
	out := js.Global().Get("Uint8Array").New(len(w.buf))
	js.CopyBytesToJS(out, w.buf)
	body := out.Get("buffer")
	w.worker.Call("postMessage", map[string]any{"id": w.id, "chunk": body}, []any{body})
	w.buf = w.buf[:0]
}

// fail answers with an error, as the server does.
func (w *writer) fail(err error) {
	text, _ := json.Marshal(map[string]string{"error": err.Error()}) // strings always have JSON
	w.head(answer.Status(err), answer.Head{Type: "application/json"})
	w.buf = append(w.buf, text...)
}
