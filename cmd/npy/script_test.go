package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/npygo/npy/cmd/npy/internal/fakestore"
	"github.com/rogpeppe/go-internal/testscript"
)

// recordArgs is the variable with the path that npy writes its arguments to.
const recordArgs = "NPY_TEST_ARGS"

// recorded writes the arguments to the path of recordArgs if there is one, and reports whether it did.
func recorded(args []string) bool {
	path := os.Getenv(recordArgs)
	if path == "" || len(args) > 0 && (args[0] == lineRequest || args[0] == "completion") {
		return false
	}
	record := fmt.Sprintf("%d\x00", len(args)) + strings.Join(append(args, ""), "\x00")
	if err := os.WriteFile(path, []byte(record), 0); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return true
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"npy": func() {
			if !recorded(os.Args[1:]) {
				os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
			}
		},
		"npy-peak": func() { // prints its peak memory
			code := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
			status, _ := os.ReadFile("/proc/self/status") // the usage that the kernel reports to a parent includes the parent's memory
			os.Stderr.Write(status)
			os.Exit(code)
		},
	})
}

// Each script has a server of its files in $HTTP, and an S3 store whose buckets are its folders buckets/*. The scripts
// find the files of NumPy in $VECTORS, the files of NumPy 1 in $VECTORS1, the files of Python's zipfile in $ARCHIVES, the
// files of h5py, netCDF4 and SciPy in $CONTAINERS, and the unusual files of this test in $ODD.
func TestScripts(t *testing.T) {
	vectors, err := filepath.Abs("../../testdata/numpy-2.3.5")
	if err != nil {
		t.Fatal(err)
	}
	vectors1, err := filepath.Abs("../../testdata/numpy-1.24.2")
	if err != nil {
		t.Fatal(err)
	}
	archives, err := filepath.Abs("testdata/archives")
	if err != nil {
		t.Fatal(err)
	}
	containers, err := filepath.Abs("testdata/containers")
	if err != nil {
		t.Fatal(err)
	}
	params := testscript.Params{
		Cmds:          map[string]func(ts *testscript.TestScript, neg bool, args []string){"http": sendHTTP},
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("VECTORS", vectors)
			e.Setenv("VECTORS1", vectors1)
			odd := filepath.Join(e.WorkDir, "odd")
			e.Setenv("ODD", odd)
			e.Setenv("ARCHIVES", archives)
			e.Setenv("CONTAINERS", containers)
			if err := writeOdd(odd); err != nil {
				return err
			}
			e.Setenv("LONG", filepath.Join(e.WorkDir, strings.Repeat("long name of a folder", 6), strings.Repeat("within it", 15)))
			serveFiles(e)
			return writeOddArchives(odd)
		},
	}
	if runtime.GOOS == "windows" { // the other scripts need the messages, tools and separators of Unix
		params.Dir, params.Files = "", nil
		for _, name := range []string{"portable", "help", "man"} {
			params.Files = append(params.Files, filepath.Join("testdata", "script", name+".txtar"))
		}
	}
	testscript.Run(t, params)
}

// sendHTTP sends a request: http METHOD URL. The store of the scripts takes every signature.
func sendHTTP(ts *testscript.TestScript, _ bool, args []string) {
	req, err := http.NewRequest(args[0], args[1], nil)
	ts.Check(err)
	req.Header.Set("Authorization", "any")
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	resp.Body.Close()
	if resp.StatusCode >= 300 {
		ts.Fatalf("%s", resp.Status)
	}
}

// serveFiles serves the files of a script at $HTTP, and its folder buckets as the buckets of S3.
func serveFiles(e *testscript.Env) {
	start := func(h http.Handler) string {
		s := httptest.NewServer(h)
		e.Defer(s.Close)
		e.Defer(s.CloseClientConnections) // before that: under Wine a write to a client that has gone has no end of its own
		return s.URL
	}
	e.Setenv("HTTP", start(fakestore.Files(e.WorkDir)))
	e.Setenv("AWS_ENDPOINT_URL", start(&fakestore.Store{Dir: filepath.Join(e.WorkDir, "buckets")}))
	e.Setenv("AWS_ACCESS_KEY_ID", "test")
	e.Setenv("AWS_SECRET_ACCESS_KEY", "verysecret")
	e.Setenv("AWS_REGION", "us-east-1")
}

// odd are unusual and invalid files.
var odd = map[string]string{
	"empty.npy":     "",
	"magic.npy":     "\x93NUM",
	"html.npy":      "<!DOCTYPE html>",
	"zip.npy":       "PK\x03\x04\x14\x00",
	"version.npy":   "\x93NUMPY\x09\x01v\x00",
	"bomb.npy":      "\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'",
	"giant.npy":     v1("{'descr': '<f8', 'fortran_order': False, 'shape': (8589934592,), }") + "only this",
	"wraps.npy":     v1("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }"),
	"negative.npy":  v1("{'descr': '<f8', 'fortran_order': False, 'shape': (-4,), }"),
	"float.npy":     v1("{'descr': '<f8', 'fortran_order': False, 'shape': (3.0,), }"),
	"duplicate.npy": v1("{'descr': [('a', '<i4'), ('a', '<i4')], 'fortran_order': False, 'shape': (3,), }"),
	"code.npy":      v1("{'descr': __import__('os').system('id'), 'fortran_order': False, 'shape': (3,), }"),
	"cut.npy":       v1("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }") + "\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00",
	"trailing.npy":  v1("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }") + "\x01\x02\x03and more",
	"python2.npy":   v1("{'descr': '<i2', 'fortran_order': False, 'shape': (2L,), }") + "\x01\x00\x02\x00",
	"codepoint.npy": v1("{'descr': '<U2', 'fortran_order': False, 'shape': (2,), }") + "a\x00\x00\x00b\x00\x00\x00c\x00\x00\x00\x00\x00\x11\x00",
	"escape.npy":    v1("{'descr': [('\\x1b[31mred', '|u1')], 'fortran_order': False, 'shape': (1,), }") + "\x07",
	"endless.npy":   v1("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000000, 0), }"),
	"hollow.npy":    v1("{'descr': '|S0', 'fortran_order': False, 'shape': (1000000000000,), }"),
	"bfloat16.npy":  v1("{'descr': 'bfloat16', 'fortran_order': False, 'shape': (2,), }") + "\xc0\x3f\x00\x40",
	"quad.npy":      v1("{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }") + "\x9a\x99\x99\x99\x99\x99\x99\x99\x99\x99\x99\x99\x99\x99\xfb\x3f",

	"evil.npy":      v1(objectHeader) + arrayPickle("("+system+"K\x01Ne"),
	"lies.npy":      v1(objectHeader) + arrayPickle("(NNe"),
	"more.npy":      v1(objectHeader) + arrayPickle("(NNNNNe"),
	"shape.npy":     v1("{'descr': '|O', 'fortran_order': False, 'shape': (4,), }") + arrayPickle("(NNNe"),
	"cutpickle.npy": v1(objectHeader) + arrayPickle("(NNNe")[:90],
	"noarray.npy":   v1(objectHeader) + "\x80\x02K\x05.",
	"nopickle.npy":  v1(objectHeader),
	"reduce.pkl":    system + ".",
	"stack.pkl":     "\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x08touch me\x85R.",
	"inst.pkl":      "(S'touch me'\nios\nsystem\n.",
	"obj.pkl":       "(cos\nsystem\nS'touch me'\no.",
	"newobj.pkl":    "\x80\x02csubprocess\nPopen\nU\x08touch me\x85\x81.",
	"build.pkl":     "\x80\x02cbuiltins\nset\n}U\x0c__setstate__cos\nsystem\nsb.",
	"hidden.pkl":    "\x80\x04\x8c\x02os\x94\x8c\x06system\x9400h\x00h\x01\x93\x8c\x08touch me\x85R.",
	"computed.pkl":  "\x80\x04cbuiltins\ngetattr\ncos\npath\n\x8c\x02os\x86R.",
	"import.pkl":    "\x80\x02cantigravity\nfly\n.",
	"twice.pkl":     "\x80\x02N." + system + ".",
	"data.pkl":      "\x80\x02}U\x01aK\x05s.",
	"python2.pkl":   "\x80\x02U\x02\xc3\xa9.",
	"broken.pkl":    "\x80\x04\x8c\x02os\x8c\x06system\x93\xff.",
	"frames.pkl": "\x80\x04\x95\x24\x00\x00\x00\x00\x00\x00\x00B\x14\x00\x00\x00" + strings.Repeat("\x00", 20) +
		"0X\x08\x00\x00\x00xxxxxaaaB\x1c\x00\x00\x00" + system + "0.0.",
	"memmap.pkl":    "ccopyreg\n_reconstructor\n(cnumpy\nmemmap\ncnumpy\nmemmap\nS'touch me'\ntR.",
	"memory.pkl":    "cnumpy\nuint64\n(cbuiltins\nException\n)R}S'__array_interface__'\n}sbtR.",
	"object.pkl":    "cnumpy.core.multiarray\nscalar\n(cnumpy\ndtype\n(S'O8'\nI00\nI01\ntRcos\nsystem\ntR.",
	"numbers.pkl":   "N.]p+0\n0" + system + ".",
	"second.pkl":    "N.]p0x0\n0" + system + ".",
	"generator.npy": v1(objectHeader) + strings.Replace(arrayPickle("(cnumpy.random._pickle\n__generator_ctor\n(NtRNNe"), "numpy.core", "numpy._core", 1),
	"library.npy": v1(objectHeader) + arrayPickle("(ccollections\ndeque\n)Rcnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(K\x00tU\x01btR(K\x01(K\x02t"+float64Pickle+
		"\x89C\x10\x55\x55\x55\x55\x55\x55\xd5\x3f\x55\x55\x55\x55\x55\x55\xe5\x3ftba"+
		"cpathlib\nPosixPath\n(U\x01/U\x01aU\x01btRcnumpy.core.multiarray\nscalar\n("+float64Pickle+"C\x08\x00\x00\x00\x00\x00\x00\xe0\x3ftRe"), // deque, Path, float64
	"unnamed": "\x80\x02}U\x01aK\x05s.",

	"array[1].npy":   v1("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }") + "\x01\x02\x03",
	"with space.npy": v1("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }") + "\x01\x02\x03",
}

const (
	objectHeader = "{'descr': '|O', 'fortran_order': False, 'shape': (3,), }"
	system       = "cos\nsystem\n(S'touch me'\ntR" // os.system('touch me')

	float64Pickle = "cnumpy\ndtype\n(U\x02f8K\x00K\x01tR(K\x03U\x01<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb" // numpy.dtype('f8')
)

// arrayPickle returns an array of shape (3,). The opcodes in elements append to its list of elements.
func arrayPickle(elements string) string {
	return "\x80\x02cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(K\x00tU\x01btR(K\x01(K\x03t" +
		"cnumpy\ndtype\n(U\x02O8K\x00K\x01tR(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK?tb\x89]" + elements + "tb."
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

// oddArchives are the members of unusual and invalid archives.
var oddArchives = map[string][]string{
	"escape.npz":    {"../up.npy", "/root.npy", "a/../../up.npy", "fine.npy"},
	"twice.npz":     {"x.npy", "x.npy"},
	"folders.npz":   {"layer/", "layer/w.npy", "readme.txt"},
	"brackets.npz":  {"a[0].npy", "a.npy", "b:c.npy"},
	"encrypted.npz": {"locked.npy", "open.npy"},
	"unknown.npz":   {"strange.npy", "open.npy"},
	"damaged.npz":   {"a.npy", "b.npy", "c.npy"},
	"evil.npz":      {"evil.npy"},
	"bomb.npz":      {"zeros.npy"},
	"names.npz":     {"x.npy", "X.npy", "a:b.npy", "con/w.npy"},
	"first.npz":     {"a.npy"},
	"last.npz":      {"a.npy"},
	"same.npz":      {"x", "x.npy"},
}

// writeOddArchives writes archives of stored members, then changes bytes in some.
func writeOddArchives(dir string) error {
	for name, members := range oddArchives {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for i, member := range members {
			f, err := w.CreateHeader(&zip.FileHeader{Name: member, Method: zip.Store})
			if err != nil {
				return err
			}
			data := odd["with space.npy"][:len(odd["with space.npy"])-1] + string(rune('a'+i))
			switch {
			case strings.HasSuffix(member, "/"):
				continue
			case strings.HasSuffix(member, ".txt"):
				data = "read me"
			case name == "evil.npz", member == "x":
				data = odd["evil.npy"]
			}
			if _, err := f.Write([]byte(data)); err != nil {
				return err
			}
		}
		if err := w.Close(); err != nil {
			return err
		}
		data := b.Bytes()
		first := bytes.Index(data, []byte("PK\x01\x02")) // the first entry of the directory
		switch name {
		case "first.npz": // NumPy takes it for a pickle
			data = append([]byte(system+"."), data...)
		case "last.npz":
			data = append(data, system+"."...)
		case "encrypted.npz":
			data[first+8] |= 1
		case "unknown.npz":
			data[first+10] = 98 // PPMd
			data[8] = 98
		case "bomb.npz":
			binary.LittleEndian.PutUint16(data[first+10:], zip.Deflate)
			binary.LittleEndian.PutUint32(data[first+24:], 4_000_000_000)
		case "damaged.npz":
			second := bytes.Index(data[4:], []byte("PK\x03\x04")) + 4
			data[second-17] ^= 1
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// npy convert keeps every file of objects as it is, with its protocol and the names of its NumPy version.
func TestConvertKeepsObjects(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/numpy-*/object-*.npy")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d files, %v, want 20 or more", len(paths), err)
	}
	for _, path := range paths {
		out := filepath.Join(t.TempDir(), "out.npy")
		var talk bytes.Buffer
		if code := run([]string{"convert", path, out}, nil, io.Discard, &talk); code != exitDone {
			t.Errorf("convert %s: exit code %d, %s", path, code, &talk)
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want) {
			t.Errorf("convert %s gives other bytes, error %v", path, err)
		}
	}
}
