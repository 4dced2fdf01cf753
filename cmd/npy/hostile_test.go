package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
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

// hostileRuns are arguments for all subcommands: IN stands for a file, OTHER for a file in another folder, OUT for a
// new name, TEXT for hostile text. The runs in hostileData write data for programs to standard output.
var hostileRuns = []string{
	"info IN", "info IN OTHER", "info --json IN", "info IN:TEXT", "info TEXT", "info --TEXT IN", "info --max-header TEXT IN",
	"show IN", "show -v IN", "show --full IN", "show --json IN", "show --head 1 IN", "show --image IN", "show --color always IN", "show IN OTHER",
	"show IN[TEXT]", "show -s TEXT IN", "show --color TEXT IN", "show --no-pickle IN", "show --colormap TEXT --image IN",
	"plot IN -o OUT.png", "plot IN -o OUT.svg", "plot IN -o TEXT", "plot --kind TEXT IN -o OUT.pdf", "plot --title TEXT IN -o OUT.pdf",
	"plot --x TEXT IN -o OUT.svg", "plot --y TEXT --label TEXT IN -o OUT.png", "plot --xlim TEXT IN -o OUT.png", "plot --font IN IN -o OUT.pdf", "plot --xlabel TEXT --ylabel TEXT IN -o OUT.svg",
	"stats IN", "stats --json IN", "stats --axis 0 IN", "stats --histogram --quantiles 0.5 --unique IN", "stats --quantiles TEXT IN", "stats IN[TEXT]",
	"diff IN OTHER", "diff --json IN OTHER", "diff --stat IN OTHER", "diff --strict --max 3 IN STRINGS", "diff --json --strict IN STRINGS", "diff --stat IN ARCHIVE",
	"diff --json IN ARCHIVE", "diff ARCHIVE IN", "diff -o OUT.png IN OTHER", "diff --rtol TEXT IN OTHER",
	"convert IN OUT.npy", "convert IN OUT.npz", "convert IN OUT.csv", "convert IN OUT.json", "convert IN OUT.txt", "convert IN OUT.md", "convert --from csv IN OUT.npy",
	"convert --from json IN OUT.npy", "convert --from ndjson IN OUT.npy", "convert --from txt IN OUT.npy", "convert --from tsv -d U3 IN OUT.npy", "convert --from md IN OUT.npy",
	"convert --from TEXT IN OUT.npy", "convert -d TEXT IN OUT.npy", "convert -d i4 IN OUT.npy", "convert --numpy 1 IN OUT.npy", "convert --name TEXT IN OUT.npz", "convert IN OUT.TEXT",
	"convert IN TEXT/OUT.npy", "convert --from raw -d i4 IN OUT.npy", "convert --no-pickle IN OUT.npy", "convert --from png IN OUT.npy",
	"verify IN", "verify --json IN", "verify --no-pickle IN", "verify --encoding TEXT IN", "pickle IN", "pickle --dis IN", "pickle --json IN", "pickle TEXT",
	"append IN STRINGS", "append IN TEXT", "append STRINGS IN", "concat OUT.npy IN STRINGS", "concat OUT.npy STRINGS IN", "concat -d TEXT OUT.npy IN",
	"manifest IN", "manifest IN OTHER -o OUT.npy.json", "manifest TEXT", "manifest --dask IN", "manifest --dask TEXT", "manifest --axis TEXT IN", "refs IN", "refs IN OTHER", "refs TEXT", "refs IN -o TEXT/OUT.json",
	"show --concat 0 IN", "show --concat 0 IN OTHER", "show --concat 0 TEXT", "show --concat TEXT IN", "info --concat 0 IN IN",
	"repair IN OUT.npy", "repair --json IN OUT.npy", "repair --longer IN OUT.npy", "repair IN TEXT/OUT.npy",
	"create OUT.npy --shape TEXT", "create OUT.npy --shape 2 -d TEXT", "create OUT.npy --shape 2 --fill TEXT", "create IN --shape 2", "create TEXT/OUT --shape 2",
	"cast U3 IN OUT.npy", "cast i4 IN OUT.npy", "cast --casting unsafe f8 IN OUT.npy", "cast TEXT IN OUT.npy", "reshape 7 IN OUT.npy", "reshape TEXT IN OUT.npy",
	"transpose IN OUT.npy", "transpose TEXT IN OUT.npy", "transpose 0,1 IN OUT.npy", "fields --keep TEXT IN OUT.npy", "fields --drop TEXT IN OUT.npy", "fields --sort IN OUT.npy",
	"fields --rename TEXT=b IN OUT.npy", "fields --rename b=TEXT IN OUT.npy", "fields --keep x IN OUT.npy",
	"sort IN", "sort IN OUT.npy", "sort IN OUT.csv", "sort --by TEXT IN OUT.npy", "sort --by 0 IN", "sort --axis 0 IN OUT.npy", "sort --by x --top 2 IN", "sort IN TEXT/OUT.npy",
	"sample -n 2 IN", "sample --fraction 0.5 IN OUT.csv", "sample -n TEXT IN", "head IN", "head -n 1 IN OTHER", "tail IN", "tail --json IN",
	"unique IN", "unique --json IN", "unique --by TEXT IN", "unique --by 0 IN OUT.csv", "unique IN TEXT/OUT.npy", "group --by 0 IN", "group --by TEXT IN", "group --by x --agg TEXT IN",
	"group --by x --agg max:x,count:TEXT --json IN", "group --by 0 --agg first:0 IN OUT.csv",
	"split --rows 1 IN OUT-%03d.npy", "split --rows 1 IN TEXT-%03d.npy", "split --rows 1 IN OUT.npz", "split --at TEXT IN OUT-%03d.npy",
	"filter TEXT IN OUT.npy", "filter x==1 IN OUT.csv", "filter row<1 IN OUT.json", "filter row<1 TEXT OUT.npy", "show --where TEXT IN", "show --where x IN", "stats --where nofield IN",
	"struct IN", "struct --lang c IN", "struct --lang rust IN", "struct --lang python IN", "struct --lang TEXT IN", "struct --name TEXT IN", "struct IN:TEXT",
	"ls IN", "ls --tree=false --attributes IN", "convert IN OUT.h5", "convert IN OUT.mat", "convert IN OUT.nc", "convert IN OUT.h5:TEXT", "show --scale IN", "append IN:TEXT STRINGS",
	"ls IN", "ls --json IN", "ls TEXT", "pack OUT.npz IN", "pack OUT.npz TEXT=IN", "pack --append IN STRINGS", "pack OUT.npz IN IN",
	"unpack -C OUT IN", "unpack -C OUT --portable-names IN", "unpack -C OUT IN TEXT", "unpack -C TEXT IN", "unpack -f -C OUT IN " + "plain",
	"rezip IN", "rezip IN OUT.npz", "rezip --store IN TEXT/OUT.npz", "rm IN TEXT", "rm IN plain", "mv IN TEXT x", "mv IN plain TEXT", "mv IN plain TEXT/x",
	"cp IN OUT.npy", "cp TEXT OUT.npy", "cp IN TEXT/OUT/x", "cp IN OTHER TEXT", "info https://TEXT/a.npy", "rm s3://b/TEXT x", "uploads TEXT", "view TEXT", "view --port 99999 IN", "view --port 99999 IN OTHER",
	"completion TEXT", "man TEXT", "help TEXT", "TEXT", "--TEXT", "show", "__complete show IN", "__complete show IN:", "__complete fields --keep ", "__complete unpack IN ",
}

var hostileData = []string{
	"convert IN - --to csv", "convert IN - --to json", "convert IN - --to npy", "cast U3 IN -", "sort IN -", "pack - IN", "plot IN -o -", "split --rows 1 IN -",
}

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
	ran, escaped := map[string]int{}, map[string]int{}
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
		ran[args[0]]++
		if strings.Contains(out.String()+talk.String(), `u202e`) {
			escaped[args[0]]++
		}
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	step := 5
	if os.Getenv("NPY_HOSTILE") == "all" {
		step = 1
	}
	for at, name := range names {
		t.Run(name, func(t *testing.T) {
			for i, line := range slices.Concat(hostileRuns, hostileData) {
				if (i+at)%step == 0 {
					try(t, line, name, i >= len(hostileRuns))
				}
			}
		})
	}
	for _, command := range commands {
		name := command(newApp(nil, nil, nil)).Name()
		if ran[name] == 0 {
			t.Errorf("no run of npy %s: add it to hostileRuns", name)
		} else if escaped[name] == 0 {
			t.Errorf("npy %s printed hostile text in none of %d runs", name, ran[name])
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
