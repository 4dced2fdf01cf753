package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"npy": func() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// The scripts find the files of NumPy under $VECTORS, and odd ones that this test makes under $ODD.
func TestScripts(t *testing.T) {
	vectors, err := filepath.Abs("../../testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("VECTORS", vectors)
			e.Setenv("ODD", filepath.Join(e.WorkDir, "odd"))
			return writeOdd(filepath.Join(e.WorkDir, "odd"))
		},
	})
}

// odd is files that nobody should have.
var odd = map[string]string{
	"empty.npy":      "",
	"magic.npy":      "\x93NUM",
	"html.npy":       "<!DOCTYPE html>",
	"zip.npy":        "PK\x03\x04\x14\x00",
	"version.npy":    "\x93NUMPY\x09\x01v\x00",
	"bomb.npy":       "\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'",
	"giant.npy":      v1("{'descr': '<f8', 'fortran_order': False, 'shape': (8589934592,), }") + "only this",
	"wraps.npy":      v1("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }"),
	"negative.npy":   v1("{'descr': '<f8', 'fortran_order': False, 'shape': (-4,), }"),
	"float.npy":      v1("{'descr': '<f8', 'fortran_order': False, 'shape': (3.0,), }"),
	"duplicate.npy":  v1("{'descr': [('a', '<i4'), ('a', '<i4')], 'fortran_order': False, 'shape': (3,), }"),
	"code.npy":       v1("{'descr': __import__('os').system('id'), 'fortran_order': False, 'shape': (3,), }"),
	"cut.npy":        v1("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }") + "\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00",
	"trailing.npy":   v1("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }") + "\x01\x02\x03and more",
	"python2.npy":    v1("{'descr': '<i2', 'fortran_order': False, 'shape': (2L,), }") + "\x01\x00\x02\x00",
	"codepoint.npy":  v1("{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }") + "a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00\x00\x00\x11\x00",
	"escape.npy":     v1("{'descr': [('\\x1b[31mred', '|u1')], 'fortran_order': False, 'shape': (1,), }") + "\x07",
	"endless.npy":    v1("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000000, 0), }"),
	"hollow.npy":     v1("{'descr': '|S0', 'fortran_order': False, 'shape': (1000000000000,), }"),
	"bfloat16.npy":   v1("{'descr': 'bfloat16', 'fortran_order': False, 'shape': (2,), }") + "\xc0\x3f\x00\x40",
	"quad.npy":       v1("{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }") + "\x9a\x99\x99\x99\x99\x99\x99\x99\x99\x99\x99\x99\x99\x99\xfb\x3f",
	"array[1].npy":   v1("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }") + "\x01\x02\x03",
	"with space.npy": v1("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }") + "\x01\x02\x03",
}

func v1(header string) string {
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(header) + 1), byte((len(header) + 1) >> 8)}) + header + "\n"
}

func writeOdd(dir string) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	for name, data := range odd {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			return err
		}
	}
	return nil
}
