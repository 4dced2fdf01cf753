package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/remote"
	"github.com/spf13/cobra"
)

// The formats of files: .npy, raw bytes, the formats of package convert, and formats with several arrays. The ending of a name
// chooses one, or a flag.

// output returns an Output in a format, whose archives e writes.
func (a *app) output(path string, to convert.Format, e npz.Encoder) conversion.Output {
	return conversion.Output{
		Path: path, Format: to, Formats: a.formats, Containers: input.Formats(a.limits, npy.Decoder{}, e),
		Options: container.WriteOptions{Store: e.Store, Level: e.Level, Zstd: e.Zstd, Workers: e.Workers},
		Stdout:  a.out, Temporary: a.temporaries.add, URLs: a.urls,
	}
}

// formatFor returns the format that a flag names, or the format of a file's ending. arg is IN or OUT, and name the name of the flag.
func (a *app) formatFor(flag, path, arg, name string) (convert.Format, error) {
	ending := "." + strings.ToLower(strings.TrimPrefix(flag, "."))
	if flag == "" {
		_, plain := input.CompressionOf(path)
		ending = strings.ToLower(filepath.Ext(plain))
	}
	if flag == "" && arg == "IN" && a.opener(npy.Decoder{}).IsJoined(path) { // a manifest is not an array in JSON
		return conversion.NPY, nil
	}
	if f, ok := a.formats.ForFile(ending); ok {
		return f, nil
	}
	switch ending {
	case ".raw", ".bin":
		return conversion.Raw, nil
	case ".npy":
		return conversion.NPY, nil
	}
	if f, ok := a.containerFor(cmp.Or(flag, ending)); ok {
		switch {
		case arg == "IN": // it is recognised by its content
			return conversion.NPY, nil
		case f.New == nil:
			return "", fmt.Errorf("%s: %s files can only be read; want %s", arg, f.Name, a.written())
		}
		return convert.Format(f.Endings[0][1:]), nil
	}
	switch {
	case flag != "":
		return "", fmt.Errorf("%s: unknown format %q, want %s", name, ending[1:], strings.Join(a.formatNames(), ", "))
	case arg == "IN" && (ending == "" || input.IsPickleName(path) || a.opener(npy.Decoder{}).HasSeveral(path)), path == "-", path == os.DevNull:
		return conversion.NPY, nil
	}
	return "", fmt.Errorf("%s: the ending of %q is not that of a known format; want %s, or give %s", arg, path, a.written(), name)
}

// containerFor returns the format of files with several arrays that an ending, with or without its dot, or a name of the
// format stands for.
func (a *app) containerFor(name string) (container.Format, bool) {
	formats := input.Formats(a.limits, npy.Decoder{}, npz.Encoder{})
	if f, ok := formats.ForName("." + strings.TrimPrefix(name, ".")); ok {
		return f, true
	}
	i := slices.IndexFunc(formats, func(f container.Format) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 {
		return container.Format{}, false
	}
	return formats[i], true
}

// formatNames returns the names of formats, which flags take.
func (a *app) formatNames() []string {
	return trimDots(slices.Concat([]string{".npy"}, input.FormatEndings(false), []string{".raw", ".bin"}, a.formats.Endings()))
}

// written lists the endings of files that can be written.
func (a *app) written() string {
	return strings.Join(slices.Concat([]string{".npy"}, input.FormatEndings(true), []string{".raw", ".bin"}, a.formats.Endings()), ", ")
}

// cutOut separates OUT from the name of the array after it, as in model.h5:layer1/w.
func cutOut(out string) (path, name string) {
	for _, ending := range input.FormatEndings(true) {
		if i := strings.Index(strings.ToLower(out), ending+":"); i >= 0 {
			return out[:i+len(ending)], strings.TrimPrefix(out[i+len(ending)+1:], "/")
		}
	}
	return out, ""
}

// checkNamed returns an error if OUT names an array of an existing file: it would replace all arrays.
func (a *app) checkNamed(out, name string) error {
	if name == "" {
		return nil
	}
	if exists, err := a.exists(out); err != nil || !exists {
		return err
	}
	return diagnose.Of(out, fmt.Errorf("the file exists, and OUT:%s would replace all of its arrays; name a new file", name))
}

// exists reports whether there is a file at a path or a URL.
func (a *app) exists(path string) (bool, error) {
	if !remote.IsURL(path) {
		return input.Exists(path), nil
	}
	exists, err := a.urls.Exists(path)
	return exists, diagnose.Of(path, err)
}

// addFormulas adds the flag --escape-formulas.
func addFormulas(c *cobra.Command, escape *bool) {
	c.Flags().BoolVar(escape, "escape-formulas", false, "write ' before text in .csv and .tsv that spreadsheets run: =1+1, @a, -1+1")
}

// checkFormulas returns an error if --escape-formulas is given for an OUT without cells.
func checkFormulas(escape bool, to convert.Format) error {
	if escape && to != convert.CSV && to != convert.TSV {
		return errors.New("--escape-formulas needs .csv or .tsv as OUT")
	}
	return nil
}

// checkTerminal returns an error for a format that is not for people if OUT is a terminal. ways is the text of other ways
// out.
func (a *app) checkTerminal(out string, to convert.Format, ways string) error {
	if o := (conversion.Output{Path: out, Stdout: a.out}); !o.IsTerminal() {
		return nil
	}
	if z, _ := input.CompressionOf(out); z != nil {
		to = conversion.Raw
	}
	if c, err := a.formats.Find(to); err == nil && !c.Binary {
		return nil
	}
	return fmt.Errorf("%s is a terminal; name a file,%s or redirect the output", diagnose.OutName(out), ways)
}
