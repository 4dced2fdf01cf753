package main

import (
	"bufio"
	"os"

	"github.com/kshedden/gonpy"
	"github.com/npygo/npy/format"
	npyio "github.com/sbinet/npyio/npy"
)

// The other Go packages take part in the rows that they support: they read and write plain numbers in C order. Each
// is used in its fastest way, npyio through a buffer, because it reads element by element.

// peerNames are the columns of the table, in order.
var peerNames = []string{"npyio", "gonpy"}

const peerBuffer = 64 << 10

func (c *corpus) peersLoad(name string) map[string]work {
	return map[string]work{"npyio": once(npyioLoad, c.path(name)), "gonpy": once(gonpyLoad, c.path(name))}
}

func npyioLoad(path string) (data []float64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = npyio.Read(bufio.NewReaderSize(f, peerBuffer), &data)
	return data, err
}

func gonpyLoad(path string) ([]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gonpy.NewReader(f)
	if err != nil {
		return nil, err
	}
	return r.GetFloat64()
}

func npyioHeader(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	r, err := npyio.NewReader(bufio.NewReader(f))
	if err != nil {
		return "", err
	}
	return format.ShapeString(r.Header.Descr.Shape), nil
}

func gonpyHeader(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	r, err := gonpy.NewReader(f)
	if err != nil {
		return "", err
	}
	return format.ShapeString(r.Shape), nil
}
