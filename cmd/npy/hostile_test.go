package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/charts"
	"github.com/npygo/npy/cmd/npy/internal/pictures"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/hdf5"
	"github.com/spf13/cobra"
)

const (
	// hostileMarks has a character of each kind that must not reach a terminal, but no character that a path cannot
	// have.
	hostileMarks = "\x01\a\b\x1b\x7f\u0080\u0085\u009b\u061c\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e" +
		"\u2060\u2066\u2067\u2068\u2069\ufeff\U000e0041"
	hostile       = "a\x1b]0;title\a\x1b[2J\r\n\t\v" + hostileMarks + "\u2028\u2029z"
	hostileBroken = hostile + "\xff\xc3(\x9b31m\xed\xa0\xbd"
)

// literal returns hostile text as Python source, with as few escapes as possible.
func literal(s string) string {
	return "'" + strings.NewReplacer("\\", `\\`, "'", `\'`, "\n", `\n`, "\r", `\r`).Replace(s) + "'"
}

// v3 returns the start of a file whose header is in UTF-8.
func v3(header string) string {
	head := binary.LittleEndian.AppendUint32([]byte("\x93NUMPY\x03\x00"), uint32(len(header)))
	return string(head) + header
}

// utf32 returns a str of n characters.
func utf32(s string, n int) string {
	b := make([]byte, 0, 4*n)
	for _, r := range s {
		b = binary.LittleEndian.AppendUint32(b, uint32(r))
	}
	return string(append(b, make([]byte, 4*n-len(b))...))
}

// pickled returns the opcodes for a str.
func pickled(s string) string {
	return string(binary.LittleEndian.AppendUint32([]byte("X"), uint32(len(s)))) + s
}

// hostileFiles has hostile text in every place where a file can have text.
func hostileFiles(t *testing.T) map[string]string {
	h := literal(hostile)
	header := func(descr, shape string) string {
		return v3("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }")
	}
	text, raw := utf32(hostile, 80), hostileBroken+strings.Repeat("\x00", 150-len(hostileBroken))
	record := fmt.Sprintf("[((%[1]s, 'b' %[1]s), '<U80'), ('c' %[1]s, [(%[1]s, '|S150')]), ('d' %[1]s, '<f8'), ('e' %[1]s, '<i4', (2,))]", h)
	record = strings.ReplaceAll(record, "' '", "") // NumPy does not accept consecutive strings
	files := map[string]string{
		"records.npy":  header(record, "(2,)") + strings.Repeat(text+raw+strings.Repeat("\x00", 16), 2),
		"strings.npy":  header("'<U80'", "(2,)") + text + utf32("plain", 80),
		"scalar.npy":   header("'<U80'", "()") + text,
		"bytes.npy":    header("'|S150'", "(2,)") + raw + raw,
		"byte.npy":     header("'|S150'", "()") + raw,
		"descr.npy":    header(h, "(2,)"),
		"field.npy":    header("[("+h+", 'x' "+h+")]", "(2,)"),
		"twice.npy":    header("[("+h+", '<i4'), ("+h+", '<i4')]", "(2,)"),
		"shape.npy":    header("'<i4'", "("+h+",)"),
		"key.npy":      v3("{'descr': '<i4', 'fortran_order': False, 'shape': (), " + h + ": 1}"),
		"source.npy":   v3(hostileBroken),
		"latin.npy":    v1("{'descr': '" + strings.NewReplacer("\n", "", "\r", "").Replace(hostileBroken) + "', 'fortran_order': False, 'shape': (), }"),
		"short.npy":    header(record, "(3,)") + text,
		"trailing.npy": header("'<i4'", "()") + "1234" + hostileBroken,
		"objects.npy": v1(objectHeader) + arrayPickle("("+pickled(hostile)+"}"+pickled(hostile)+pickled(hostile)+"s"+
			string(binary.LittleEndian.AppendUint32([]byte("B"), uint32(len(hostileBroken))))+hostileBroken+"e"),
		"global.npy":  v1(objectHeader) + arrayPickle("(c"+hostileMarks+"\nf"+hostileMarks+"\nNNe"),
		"call.pkl":    "\x80\x04" + pickled(hostile) + pickled(hostile) + "\x93" + pickled(hostile) + "\x85R.",
		"broken.pkl":  "\x80\x04" + pickled(hostileBroken) + ".",
		"numbers.pkl": "I" + hostileMarks + "\n.",
		"table.csv":   hostile + "," + hostileBroken + "\n1," + hostileBroken + "\n",
		"cells.csv":   "a,b\n1,\"" + hostile + "\"\n",
		"quotes.csv":  "a,b\n1,\"" + hostile,
		"table.json":  `[{"` + hostileMarks[4:] + `": "` + hostileBroken + `"}]`,
		"keys.ndjson": `{"` + strings.Trim(hostileMarks[4:], "\x1b\x7f") + `": 1}` + "\n" + `{"b": x` + hostileBroken + "}\n",
		"text.txt":    hostileBroken,
		"table.tsv":   hostileBroken + "\t2\n",
	}
	var members []string
	for name := range files {
		members = append(members, name)
	}
	slices.Sort(members)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(name, data string) {
		t.Helper()
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = f.Write([]byte(data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range members {
		add(hostile+name, files[name])
	}
	add(hostileBroken+".npy", files["strings.npy"])
	add("plain.npy", files["strings.npy"])
	add("folder"+hostile+"/", "")
	add("../"+hostileBroken, "")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files["archive.npz"] = b.String()
	damaged := bytes.Clone(b.Bytes())
	damaged[bytes.Index(damaged, []byte("shape"))] ^= 1 // a member with another CRC
	files["damaged.npz"] = string(damaged)
	files["cut.npz"] = b.String()[:b.Len()-30]
	b.Reset()
	w = zip.NewWriter(&b)
	add(hostile+".npy", files["strings.npy"])
	add(hostile+".npy", files["strings.npy"])
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files["twice.npz"] = b.String()
	files["names.h5"] = hostileHDF5(t)
	files["cut.h5"] = files["names.h5"][:len(files["names.h5"])/2]
	return files
}

// hostileHDF5 returns a file with hostile text in names, attributes and elements.
func hostileHDF5(t *testing.T) string {
	t.Helper()
	texts, err := npy.FromObjects([]any{hostile, hostileBroken}, 2)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.ReplaceAll(hostile, "/", "")
	attributes := []container.Attribute{{Name: name, Value: texts}}
	path := filepath.Join(t.TempDir(), "a.h5")
	err = hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{}).Create(path, container.WriteOptions{}, func(w container.Writer) error {
		_, err := w.Begin(container.Entry{Group: true}, attributes)
		if err == nil {
			_, err = w.Begin(container.Entry{Path: "group" + name, Group: true}, attributes)
		}
		if err == nil {
			err = container.Put(t.Context(), w, container.Entry{Path: "group" + name + "/" + name}, attributes, texts)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// hostileLines are runs of no subcommand, and of completion, with the words of the other hostile trials.
var hostileLines = []string{"TEXT", "--TEXT", "__complete show IN", "__complete show IN:", "__complete fields --keep ", "__complete unpack IN "}

var (
	colorCode = regexp.MustCompile("\x1b\\[[0-9;]*m")
	unshown   = []*unicode.RangeTable{unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp}
)

// leak returns the first hostile character in text for a terminal, with its context.
func leak(text string) string {
	text = colorCode.ReplaceAllString(text, "")
	for i, r := range text {
		broken := r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd")
		if broken || r != '\n' && unicode.In(r, unshown...) {
			return fmt.Sprintf("%q in %q", text[i:i+max(1, utf8.RuneLen(r))], text[max(0, i-40):min(len(text), i+40)])
		}
	}
	return ""
}

// No subcommand prints a character that a terminal obeys or hides, whatever its files and arguments contain. NPY_HOSTILE=all
// tries every run with every file (make hostile); else a file gets every fifth run, and each run every fifth file.
func TestHostileText(t *testing.T) {
	folder := "folder" + hostileMarks
	switch runtime.GOOS {
	case "windows":
		folder = "folder"
	case "linux":
		folder += "\xff\xc3"
	}
	base := filepath.Join(t.TempDir(), folder)
	files := hostileFiles(t)
	t.Chdir(t.TempDir()) // for files named by TEXT
	escaped, changed := map[string]int{}, map[string]int{}
	try := func(t *testing.T, line, file string, data bool) {
		t.Helper()
		dir := filepath.Join(base, "run")
		for _, sub := range []string{dir, filepath.Join(dir, "other")} {
			if err := os.MkdirAll(sub, 0o777); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{file, "strings.npy", "archive.npz"} {
				if err := os.WriteFile(filepath.Join(sub, name), []byte(files[name]), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		defer os.RemoveAll(dir)
		in := func(name string) string { return filepath.Join(dir, name) }
		places := strings.NewReplacer("IN", in(file), "OTHER", in("other/"+file), "STRINGS", in("other/strings.npy"),
			"ARCHIVE", in("other/archive.npz"), "OUT", in("out"), "TEXT", hostile)
		args := strings.Split(line, " ")
		for i := range args {
			args[i] = places.Replace(args[i])
		}
		var out, talk bytes.Buffer
		code := run(args, strings.NewReader(files[file]), &out, &talk)
		if found := leak(talk.String()); found != "" {
			t.Errorf("npy %s, %s, exit code %d, prints to standard error %s", line, file, code, found)
		}
		lines := strings.Count(talk.String(), "\n") - strings.Count(talk.String(), "\n  ") // without the caret of a condition
		if code == exitUsage && lines != 1 && !strings.HasPrefix(line, "diff") && !strings.HasPrefix(line, "__") {
			t.Errorf("npy %s, %s, exit code %d: %d lines of errors, want one: %q", line, file, code, lines, talk.String())
		}
		shown := out.String()
		if strings.HasPrefix(line, cobra.ShellCompRequestCmd) {
			shown = strings.ReplaceAll(shown, "\t", " ") // the separator before descriptions
		}
		if strings.HasPrefix(line, "struct") {
			shown = strings.ReplaceAll(shown, "\t", " ") // indents source code
		}
		if found := leak(shown); found != "" && !data {
			t.Errorf("npy %s, %s, exit code %d, prints %s", line, file, code, found)
		}
		if strings.Contains(line, "--json") {
			for text := range strings.Lines(out.String()) {
				if !json.Valid([]byte(text)) {
					t.Errorf("npy %s, %s, prints what is not JSON: %.200q", line, file, text)
				}
			}
		}
		for _, name := range []string{"run/" + file, "run/other/" + file, "run/other/strings.npy", "run/other/archive.npz"} {
			if data, err := os.ReadFile(filepath.Join(base, name)); err != nil || string(data) != files[filepath.Base(name)] {
				changed[args[0]]++
			}
		}
		if strings.Contains(out.String()+talk.String(), `u202e`) {
			escaped[args[0]]++
		}
	}
	runs, data := slices.Concat(allTrials("hostile"), hostileLines), allTrials("hostile data")
	step := 5
	if os.Getenv("NPY_HOSTILE") == "all" {
		step = 1
	}
	for at, name := range slices.Sorted(maps.Keys(files)) {
		t.Run(name, func(t *testing.T) {
			for i, line := range slices.Concat(runs, data) {
				if (i+at)%step == 0 {
					try(t, line, name, i >= len(runs))
				}
			}
		})
	}
	for _, s := range subcommands {
		name := s.name()
		if len(s.trials("hostile")) > 0 && escaped[name] == 0 {
			t.Errorf("npy %s printed hostile text in none of its runs", name)
		}
		if n := changed[name]; s.inPlace && n == 0 && step == 1 || !s.inPlace && n > 0 {
			t.Errorf("npy %s changed %d files, and declares inPlace as %v", name, n, s.inPlace)
		}
	}
}

// A chart on a terminal contains names of fields.
func TestHostileChart(t *testing.T) {
	a, err := npy.Read(strings.NewReader(hostileFiles(t)["records.npy"]))
	if err != nil {
		t.Fatal(err)
	}
	colors, err := pictures.FindColormap("viridis")
	if err != nil {
		t.Fatal(err)
	}
	c := charts.New(charts.Options{Axis: charts.NoAxis, Colors: colors, Bins: 10, Size: charts.Size{Width: 400, Height: 300}})
	if _, err := c.Add(t.Context(), hostile, a); err != nil {
		t.Fatal(err)
	}
	if err := c.Finish(); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := newApp(nil, &b, nil).showChart(c); err != nil {
		t.Fatal(err)
	}
	if found := leak(b.String()); found != "" {
		t.Errorf("the chart prints %s", found)
	}
}
