package view_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/view"
	"github.com/npygo/npy/view/answer"
)

// An array in memory is shown until the context ends.
func ExampleServer_Serve() {
	a, err := npy.FromSlice([]float64{1, 2, 3})
	if err != nil {
		log.Fatal(err)
	}
	input := answer.Input{Name: "result", Open: func(context.Context) (*answer.File, error) {
		return &answer.File{
			Kind:    "npy",
			Entries: []container.Entry{{DType: a.DType(), Shape: a.Shape()}},
			Source:  func(int) (npy.Source, error) { return a, nil },
			Close:   func() {},
		}, nil
	}}
	ctx, stop := context.WithCancel(context.Background())
	err = view.New(answer.New([]answer.Input{input})).Serve(ctx, view.Options{}, func(url string) {
		fmt.Println(strings.HasPrefix(url, "http://127.0.0.1:"))
		stop()
	})
	fmt.Println(err)
	// Output:
	// true
	// context canceled
}
