package cookbook

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"github.com/npygo/npy"
)

// A service that takes vectors from strangers: their number, type and size are checked before memory is allocated for them.
func Example_upload() {
	const dimensions = 3
	decoder := npy.Decoder{MaxHeader: 4 << 10, MaxBytes: 1 << 20}
	upload := func(w http.ResponseWriter, r *http.Request) {
		rows, err := npy.Loader[float32](decoder).NewRowReader(r.Body)
		if err != nil { // not an array, objects, another dtype, more than MaxBytes
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if shape := rows.Shape(); len(shape) != 2 || shape[1] != dimensions {
			http.Error(w, fmt.Sprintf("the shape is %v, not (n, %d)", shape, dimensions), http.StatusBadRequest)
			return
		}
		stored := 0
		for _, err := range rows.Rows() {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				http.Error(w, fmt.Sprintf("the upload ends after %d vectors", stored), http.StatusBadRequest)
				return
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			stored++ // the row goes to the database here; it is valid until the next one
		}
		w.Header().Set("Vectors", strconv.Itoa(stored))
	}
	server := httptest.NewServer(http.HandlerFunc(upload))
	defer server.Close()

	send := func(what, body string) {
		answer, err := http.Post(server.URL, "application/octet-stream", strings.NewReader(body))
		if err != nil {
			fmt.Println(err)
			return
		}
		answer.Body.Close()
		status := answer.Status
		if n := answer.Header.Get("Vectors"); n != "" {
			status += ", " + n + " vectors"
		}
		fmt.Println(what, status)
	}
	file := func(a *npy.Array, err error) string {
		var b strings.Builder
		if err == nil {
			err = npy.Write(&b, a)
		}
		if err != nil {
			fmt.Println(err)
		}
		return b.String()
	}
	vectors := file(npy.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3))
	send("an array:", vectors)
	send("cut off:", vectors[:len(vectors)-5])
	send("another dtype:", file(npy.FromSlice([]float64{1, 2, 3}, 1, 3)))
	send("another shape:", file(npy.FromSlice([]float32{1, 2}, 1, 2)))
	send("a page:", "<html>")
	// Output:
	// an array: 200 OK, 2 vectors
	// cut off: 400 Bad Request
	// another dtype: 400 Bad Request
	// another shape: 400 Bad Request
	// a page: 400 Bad Request
}
