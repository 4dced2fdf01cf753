package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostileKeys are names of files in a store that somebody else fills.
func hostileKeys() []string {
	keys := []string{
		"first.npy", "..", ".", "../..", "../up.npy", "a/..", "a/.", "a/../..", "/etc/root.npy", "//", "///x", "a/", "a//", "-", "a/-", "--help", "-rf.npy",
		`..\up2.npy`, `a\b.npy`, `C:\x.npy`, "C:x.npy", "c:", "stream.npy:data", "CON", "nul.npy", "COM1.txt", "dot.npy.", "space.npy ", " ", "...", "~", "~root", "$HOME",
		"$(touch pwn).npy", "`touch pwn`", "a;b", "a|b", "a b.npy", "a'b\"c.npy", "*", "?", "[0]", "a[0].npy", "m.npz:w", "q?a=b", "h#f", "%2e%2e", "%2e%2e%2fx", "%00", "%", "+",
		"new\nline", "ret\rurn", "tab\tbed", "esc\x1b[31m.npy", "bell\a", "\u202egpj.npy", "\u0085x", "ﬀ.npy", "日本.npy", "same/x.npy", "other/x.npy", "deep/er/X.npy",
		strings.Repeat("n", 200) + ".npy", strings.Repeat("n", 255), strings.Repeat("n", 256), strings.Repeat("n", 900), strings.Repeat("d/", 400) + "deep.npy",
		".bashrc", ".hidden/.ssh", "s3:", "https:", "https://x/y", "file:///etc/passwd", "folder", "folder/folder", "nul\x00byte.npy", "unit\x1fsep", "last.npy",
	}
	for _, part := range []string{"..", ".", "%2e", "%2f", `\`, "/", ":", " ", "\u2215"} { // every pair of parts
		for _, next := range []string{"..", "/", `\`, "x"} {
			keys = append(keys, part+next+"p.npy", "p/"+part+next)
		}
	}
	return keys
}

// A hostileStore lists keys, and has for each a file with the key as its text.
func hostileStore(t *testing.T, scheme string, keys []string) (url string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := strings.TrimPrefix(r.URL.Path, "/b/")
		switch {
		case scheme == "gs" && strings.HasSuffix(r.URL.Path, "/o"):
			type item struct {
				Name string `json:"name"`
				Size string `json:"size"`
			}
			var list struct {
				Items []item `json:"items"`
			}
			for _, key := range keys {
				list.Items = append(list.Items, item{key, fmt.Sprint(len(key))})
			}
			_ = json.NewEncoder(w).Encode(list)
			return
		case scheme == "gs":
			key = strings.TrimPrefix(r.URL.Path, "/storage/v1/b/b/o/")
		case r.URL.Query().Has("list-type"):
			io.WriteString(w, "<ListBucketResult>")
			for _, key := range keys {
				io.WriteString(w, "<Contents><Key>")
				_ = xml.EscapeText(w, []byte(key))
				fmt.Fprintf(w, "</Key><Size>%d</Size></Contents>", len(key))
			}
			io.WriteString(w, "</ListBucketResult>")
			return
		}
		fmt.Fprint(w, key)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Whatever the keys of a store are, cp writes files of their own names in TARGET alone, names each key that cannot be a file there, and
// copies all others.
func TestCopyHostileKeys(t *testing.T) {
	for _, scheme := range []string{"s3", "gs"} {
		var keys []string
		for _, key := range hostileKeys() {
			if scheme == "gs" || xmlText(key) {
				keys = append(keys, key)
			}
		}
		around := t.TempDir()
		target := filepath.Join(around, "in", "to")
		if err := os.MkdirAll(filepath.Join(target, "folder"), 0o777); err != nil {
			t.Fatal(err)
		}
		var out, talk bytes.Buffer
		code := run([]string{"cp", "--anonymous", "--retries", "0", "--endpoint", hostileStore(t, scheme, keys), scheme + "://b/**", target}, nil, &out, &talk)
		copies := copiesIn(t, around, target)
		named := 0
		for _, line := range strings.Split(strings.TrimSuffix(talk.String(), "\n"), "\n") {
			if !strings.HasPrefix(line, "npy: "+scheme+"://b/") && !strings.HasPrefix(line, "npy: "+target) || strings.ContainsAny(line, "\x1b\a\r\u202e") {
				t.Errorf("%s: line %q", scheme, line)
			}
			named++
		}
		if code != exitNo || out.Len() != 0 || len(copies)+named != len(keys) {
			t.Errorf("%s: exit code %d, %d copies and %d errors for %d keys:\n%s", scheme, code, len(copies), named, len(keys), &talk)
		}
		for _, key := range []string{"first.npy", "last.npy", "a b.npy", "same/x.npy", "日本.npy", strings.Repeat("d/", 400) + "deep.npy"} {
			if copies[path.Base(key)] != key {
				t.Errorf("%s: %q was copied as %q", scheme, key, copies[path.Base(key)])
			}
		}
		if plain := strings.Repeat("n", 255); runtime.GOOS == "linux" && copies[plain] != plain {
			t.Errorf("%s: a name of 255 bytes was not copied", scheme)
		}
		t.Logf("%s: %d keys, %d copied, %d named", scheme, len(keys), len(copies), named)
	}
}

// xmlText reports whether XML can hold a text as it is.
func xmlText(s string) bool {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s))
	return utf8.ValidString(s) && !strings.Contains(b.String(), "\ufffd")
}

// copiesIn returns the text of each file in target, by its name. Anything else in around is an error.
func copiesIn(t *testing.T, around, target string) map[string]string {
	copies := map[string]string{}
	err := filepath.WalkDir(around, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if filepath.Dir(name) != target || path.Base("/"+string(text)) != filepath.Base(name) {
			t.Errorf("%q has the file of key %q", name, text)
		}
		copies[filepath.Base(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return copies
}
