package view_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container/all"
	"github.com/npygo/npy/view"
)

// password lets requests through that have the password of a user.
func password(user, secret string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, word, _ := r.BasicAuth(); name != user || word != secret {
			w.Header().Set("WWW-Authenticate", "Basic")
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// status returns the status of a request and the beginning of the first line of its answer.
func status(url, user, secret string) string {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, url, nil)
	if err != nil {
		return err.Error()
	}
	if user != "" {
		r.SetBasicAuth(user, secret)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error()
	}
	line, _, _ := strings.Cut(string(body), "\n")
	return fmt.Sprintf("%d %.38s", response.StatusCode, line)
}

// Two pages of one server, for two groups of users: a file that is opened again when it changes, and an array in memory. The
// server may have any other pages, and any way to know its users.
func ExampleNew() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "weights.npy")
	if err := npy.Save(path, []float32{1, 2, 3, 4}, 2, 2); err != nil {
		log.Fatal(err)
	}
	result, err := npy.FromSlice([]int64{7, 8, 9})
	if err != nil {
		log.Fatal(err)
	}
	models := view.New(view.Path(path, all.Formats()))
	defer models.Close()
	today := view.New(view.Source("result", result))
	defer today.Close()

	mux := http.NewServeMux()
	mux.Handle("/team/models/", password("ada", "engine", http.StripPrefix("/team/models", models)))
	mux.Handle("/today/", password("grace", "compiler", http.StripPrefix("/today", today)))
	server := httptest.NewServer(mux)
	defer server.Close()

	fmt.Println(status(server.URL+"/team/models/", "ada", "engine")) // for a browser
	fmt.Println(status(server.URL+"/team/models/cells?f=0&at=y,x", "ada", "engine"))
	fmt.Println(status(server.URL+"/today/cells?f=0&at=y", "grace", "compiler"))
	fmt.Println(status(server.URL+"/today/cells?f=0&at=y", "ada", "engine"))
	fmt.Println(status(server.URL+"/today/", "", ""))
	// Output:
	// 200 <!doctype html>
	// 200 {"cells":[["1.0","2.0"],["3.0","4.0"]]
	// 200 {"cells":[["7"],["8"],["9"]],"columns"
	// 401 who are you?
	// 401 who are you?
}

// A server ends: its pages are closed first, for which Shutdown would wait.
func ExampleHandler_Close() {
	h := view.New()
	mux := http.NewServeMux()
	mux.Handle("/arrays/", http.StripPrefix("/arrays", h))
	server := &http.Server{Handler: mux}
	server.RegisterOnShutdown(func() { _ = h.Close() })
	fmt.Println(server.Shutdown(context.Background()))
	// Output: <nil>
}

// An array in memory is shown until the context ends.
func ExampleServe() {
	a, err := npy.FromSlice([]float64{1, 2, 3})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	err = view.Serve(ctx, []view.Input{view.Source("result", a)}, view.Options{}, func(url string) {
		fmt.Println(strings.HasPrefix(url, "http://127.0.0.1:"))
		stop()
	})
	fmt.Println(err)
	// Output:
	// true
	// context canceled
}

// A server that takes files from strangers sets limits, here of the bytes of an array that is read whole.
func ExamplePath() {
	var d all.Decoder
	d.NPY.MaxBytes, d.NPZ.Array.MaxBytes = 1<<30, 1<<30
	in := view.Path("uploads/17.npz", d.Formats(all.Encoder{}))
	in.Name = "survey.npz" // as its owner called it
	h := view.New(in)
	fmt.Println(in.Name, h.Close())
	// Output: survey.npz <nil>
}

// Anything that has elements is shown, such as arrays joined to one: no element is read before somebody looks at it.
func ExampleSource() {
	a, err := npy.FromSlice([]int8{1, 2})
	if err != nil {
		log.Fatal(err)
	}
	both, err := npy.Concat(0, a, a)
	if err != nil {
		log.Fatal(err)
	}
	f, err := view.Source("both", both).Open(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Entries[0].DType, f.Entries[0].Shape)
	// Output: |i1 [4]
}

// A page for those who have nothing installed, if this program has been compiled with it.
func ExampleExport() {
	err := view.Export("page", "model.npz")
	if errors.Is(err, view.ErrNoProgram) {
		log.Fatal("compile npy.wasm.gz first: make static")
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("open page/index.html")
}
