package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
)

// Results go to standard output, and nothing else does. Every complaint is one line on standard error, "npy: FILE:
// what is wrong, where, and the way out". Text from files is never printed with control characters.

// A fileError is an error of an input file, with exit code 1. Every other error is wrong use.
type fileError struct {
	file string
	err  error
}

func (e fileError) Error() string { return e.file + ": " + e.reason() }
func (e fileError) Unwrap() error { return e.err }

// reason returns what is wrong. It names the member of the archive unless file does.
func (e fileError) reason() string {
	var ze *npz.Error
	if errors.As(e.err, &ze) && ze.Member != "" && !strings.HasSuffix(e.file, ":"+strings.TrimSuffix(ze.Member, ".npy")) && !strings.HasSuffix(e.file, ":"+ze.Member) {
		return fmt.Sprintf("member %q: %s", ze.Member, reason(e.err))
	}
	return reason(e.err) + savingRows(e.err)
}

// savingRows returns the way out for a file that ends too early but has some of its data.
func savingRows(err error) string {
	var short *format.ShortError
	var ze *npz.Error
	if !errors.As(err, &short) || short.Have == 0 || errors.As(err, &ze) {
		return ""
	}
	return savesRows
}

const savesRows = "; 'npy repair FILE OUT' saves the rows that are whole"

// says returns err as an error of a file; nil stays nil.
func says(file string, err error) error {
	if err == nil {
		return nil
	}
	return fileError{file, err}
}

// reason returns what is wrong without the names of the file and the program, which the line begins with. For a limit
// it adds the way out.
func reason(err error) string { return diagnosis(err) + raising(err) }

// diagnosis is reason without the way out.
func diagnosis(err error) string {
	var pe *fs.PathError
	var le *os.LinkError
	for {
		switch {
		case errors.As(err, &pe):
			err = pe.Err
		case errors.As(err, &le):
			err = le.Err
		default:
			text := err.Error()
			var ze *npz.Error
			if errors.As(err, &ze) && ze.Member != "" {
				if text = diagnosis(ze.Err); ze.Offset >= 0 {
					text += fmt.Sprintf(" (the member is at byte %d)", ze.Offset)
				}
			}
			var fe *npy.FieldError
			if errors.As(err, &fe) {
				text += didYouMean("%q", fe.Path, fieldNames(fe.DType))
			}
			var me *npz.MethodError
			if errors.As(err, &me) {
				text = fmt.Sprintf("compressed with %s, which is not known here; unpack it with the program that made it", me.Method)
			}
			for _, pkg := range []string{"npy: ", "convert: ", "stats: ", "diff: ", "dtype: ", "pickle: ", "objects: ", "npz: "} {
				text = strings.TrimPrefix(text, pkg)
			}
			var en syscall.Errno
			if errors.As(err, &en) { // on Windows the text is a sentence
				text = strings.TrimSuffix(text, ".")
			}
			return text
		}
	}
}

// complain prints the error of a file. The run goes on, and ends with exit code 1.
func (a *app) complain(e fileError) {
	a.failed = true
	hint := ""
	if errors.Is(e.err, fs.ErrNotExist) {
		hint = similarFile(e.file)
	}
	a.talk("%s: %s%s", fileName(e.file), e.reason(), hint)
}

// talk prints one line to standard error.
func (a *app) talk(format string, args ...any) {
	a.temporaries.Lock() // after a signal nothing more is printed
	defer a.temporaries.Unlock()
	fmt.Fprintf(a.err, "npy: %s\n", terminal.Printable(fmt.Sprintf(format, args...)))
}

// fileName returns a path in printable form.
func fileName(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// counted returns a number and a noun, in the plural unless the number is 1.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprint(n, " ", thing)
}

// hintFor returns the help to read after wrong use.
func hintFor(err error, args []string) string {
	if strings.Contains(err.Error(), "did you mean") {
		return ""
	}
	if len(args) > 0 {
		for _, command := range commands {
			if name := command(&app{}).Name(); name == args[0] {
				return "; see 'npy help " + name + "'"
			}
		}
	}
	return "; see 'npy help'"
}

// ignoreBrokenPipe makes writing to a closed pipe an error that does not end the program: "npy show a.npy | head" is
// not a failure.
func ignoreBrokenPipe() { signal.Ignore(syscall.SIGPIPE) }

func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// page sends all output from now on to a pager if it is longer than the screen. The caller calls end after the last
// write.
func (a *app) page(never bool) (end func() error) {
	if never {
		return func() error { return nil }
	}
	out := a.out
	paged, close := terminal.Page(out)
	a.out = paged
	return func() error {
		a.out = out
		return close()
	}
}

// progress shows the progress of a task called name on standard error.
func (a *app) progress(name string) *terminal.Progress { return terminal.NewProgress(a.err, name) }

// watch returns f and shows on standard error how much of it has been read.
func (a *app) watch(f io.ReadCloser, name string, size int64) io.ReadCloser {
	return terminal.Watch(a.err, f, fileName(name), size)
}
