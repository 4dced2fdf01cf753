package answer

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/npygo/npy/container"
)

// code answers "code": the command line, the Python and the Go that give the same part of an array.
func (a *Answers) code(ctx context.Context, q url.Values, w Writer) error {
	s, err := a.selection(ctx, q, "", "yxc")
	if err != nil {
		return err
	}
	defer s.done()
	tag, err := etag(q, s.states...)
	if err != nil {
		return err
	}
	var index, goIndex, axes []string
	for i, at := range s.at {
		switch at {
		case "mean", "max", "min":
			axes = append(axes, fmt.Sprintf(".%s(axis=%d)", at, i))
			index, goIndex = append(index, ":"), append(goIndex, "npy.All()")
			continue
		}
		if _, err := strconv.Atoi(at); err == nil {
			index, goIndex = append(index, at), append(goIndex, "npy.At("+at+")")
			continue
		}
		text, goText := ":", "npy.All()"
		if at != "c" && (q.Has(at+"0") || q.Has(at+"1")) {
			axis := map[string]int{"y": s.y, "x": s.x}[at]
			low, high, err := s.span(q, at, axis)
			if err != nil {
				return err
			}
			if n := s.src.Shape()[axis]; low > 0 || high < n {
				text, goText = fmt.Sprintf("%d:%d", low, high), fmt.Sprintf("npy.Span(%d, %d)", low, high)
			}
		}
		index, goIndex = append(index, text), append(goIndex, goText)
	}
	brackets := ""
	if strings.Trim(strings.Join(index, ""), ":") != "" {
		brackets = "[" + strings.Join(index, ", ") + "]"
	}
	name, path := a.files[s.f].Name, s.open.Entries[s.e].Path
	lone := path == "" || path == container.NPYPath && s.open.Kind == "npy"
	target := name
	python := "np.load(" + pythonString(name) + ")"
	open := "src, err := npy.Open(" + strconv.Quote(name) + ")"
	joined := a.files[s.f].Joined
	switch {
	case len(joined) > 0:
		python, open = a.files[s.f].joinedCode()
	case lone:
	case s.open.Kind == "npz":
		target += ":" + path
		python += "[" + pythonString(path) + "]"
		open = "archive, err := npz.Open(" + strconv.Quote(name) + ")\nsrc, err := archive.Source(" + strconv.Quote(path) + ")"
	default:
		target += ":" + path
		python = "h5py.File(" + pythonString(name) + ")[" + pythonString(path) + "]"
		open = "file, err := container.Open(" + strconv.Quote(name) + ")\nsrc, err := file.Source(" + strconv.Quote(path) + ")"
	}
	goCode := open
	if s.field != "" {
		for _, f := range strings.Split(s.field, ".") {
			python += "[" + pythonString(f) + "]"
			goIndex = append([]string{"npy.Named(" + strconv.Quote(f) + ")"}, goIndex...)
		}
	}
	if brackets != "" || s.field != "" {
		goCode += "\npart, err := src.Select(" + strings.Join(goIndex, ", ") + ")"
	}
	full := brackets
	if s.field != "" {
		full = ""
		for _, f := range strings.Split(s.field, ".") {
			full += "[" + pythonString(f) + "]"
		}
		full += brackets
	}
	full = strings.ReplaceAll(full, ", ", ",")
	command := "npy show " + shellQuote(target+full)
	if len(joined) > 0 {
		command = a.files[s.f].joinedCommand(full)
	}
	if q.Get("where") != "" {
		command += " --where " + shellQuote(q.Get("where"))
	}
	return writeJSON(w, tag, map[string]string{
		"command": command, "python": python + brackets + strings.Join(axes, ""), "go": goCode,
	})
}

func shellQuote(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/:=@%+,", r))
	}) < 0
	if plain && s != "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func pythonString(s string) string {
	return strconv.QuoteToASCII(s)
}
