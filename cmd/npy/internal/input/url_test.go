package input

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each argument is split into URL, member and index in ways that are tried one after another.
func TestParseURL(t *testing.T) {
	for arg, want := range map[string][]string{
		"s3://b/a.npy":                       {"s3://b/a.npy||"},
		"s3://b/a.npy[0]":                    {"s3://b/a.npy||[0]", "s3://b/a.npy[0]||"},
		"s3://b/m.npz":                       {"s3://b/m.npz||"},
		"s3://b/m.npz:w[0]":                  {"s3://b/m.npz|w[0]|", "s3://b/m.npz:w||[0]", "s3://b/m.npz:w[0]||"},
		`s3://b/m.npz["w"][0]`:               {`s3://b/m.npz||["w"][0]`, `s3://b/m.npz["w"][0]||`},
		"s3://b/x:y.npy":                     {"s3://b/x:y.npy||", "s3://b/x|y.npy|"},
		"https://h:8080/a.npy":               {"https://h:8080/a.npy||"},
		"https://h:8080/a.npy?sig=a:b[0]":    {"https://h:8080/a.npy?sig=a:b||[0]", "https://h:8080/a.npy?sig=a:b[0]||"},
		"https://h/m.npz?t=1:2&s=x:w[0]":     {"https://h/m.npz?t=1:2&s=x|w[0]|", "https://h/m.npz?t=1:2&s=x:w||[0]", "https://h/m.npz?t=1:2&s=x:w[0]||"},
		"https://h/m.npz?t=00:00Z&s=x":       {"https://h/m.npz?t=00:00Z&s=x||"},
		"https://h/a.npy?only[x]=1":          {"https://h/a.npy?only[x]=1||"},
		"https://h/a.npy?q=[1]":              {"https://h/a.npy?q=[1]||"},
		"https://user:secret@h/d.h5:/g/w[1]": {"https://user:secret@h/d.h5|/g/w[1]|", "https://user:secret@h/d.h5:/g/w||[1]", "https://user:secret@h/d.h5:/g/w[1]||"},
		"gs://b":                             {"gs://b||"},
		"gs://b/a[0].npy[1]":                 {"gs://b/a[0].npy||[1]", "gs://b/a[0].npy[1]||"},
	} {
		first, err := Parse(arg)
		if err != nil {
			t.Errorf("Parse(%q): %v", arg, err)
			continue
		}
		var got []string
		for _, x := range append([]Target{first}, first.others...) {
			got = append(got, fmt.Sprintf("%s|%s|%s", x.url, x.Member, x.Sub))
			if strings.ContainsAny(x.Path, "@?") {
				t.Errorf("Parse(%q) has the path %q", arg, x.Path)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("Parse(%q) is\n%q, want\n%q", arg, got, want)
		}
	}
	for _, arg := range []string{"s3://b/a.npy[0", "https://h/a.npy?sig=secret[0"} {
		if _, err := Parse(arg); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("Parse(%q) gives %v", arg, err)
		}
	}
}

// No argument panics, and no way to split it has its query or its user in the name.
func FuzzParseURL(f *testing.F) {
	for _, seed := range []string{"s3://b/a[0]:w[1]", "https://h:1/m.npz?x=[:w", "http://?", "gs://[", "az://c/x:::[[]]", "https://u:p@h"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		if !strings.Contains(arg, "://") {
			return
		}
		x, err := Parse(arg)
		if err != nil {
			return
		}
		for _, x := range append([]Target{x}, x.others...) {
			if x.url != "" && !strings.HasPrefix(arg, x.url) {
				t.Errorf("Parse(%q) opens %q", arg, x.url)
			}
		}
		CutURLPattern(arg)
	})
}
