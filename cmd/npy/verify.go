package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/numbers"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/scalar"
	"github.com/spf13/cobra"
)

func verifyCommand(a *app) *cobra.Command {
	var asJSON, quiet bool
	var maxHeader int
	var objects objectFlags
	c := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check everything that can be wrong with a file",
		Long: `Verify reads each file to its end: the header, the length of the data, and the elements whose bytes can be
wrong (characters); of an archive every member with its checksum, and the directory. Errors make the exit code 1. Notes say what is unusual but allowed: data behind the array, data
that is not aligned, a header that NumPy would not read without being asked, names that Windows cannot have, and the like.

The pickle of Python objects is read as data: whether it is whole and holds what the header says. What would run code
in Python is a note; 'npy pickle' says more.`,
		Example: `  npy verify a.npy
  npy verify --quiet *.npy *.npz
  npy verify --json model.npz`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			w := bufio.NewWriter(a.out)
			for _, arg := range args {
				v := &verifier{app: a, maxHeader: maxHeader, objects: objects}
				if err := a.verify(v, arg); err != nil {
					return err
				}
				a.failed = a.failed || !v.ok()
				if err := v.report(w, asJSON, quiet); err != nil {
					return err
				}
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per file")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print nothing for files without errors")
	addMaxHeader(c, &maxHeader)
	objects.add(a, c)
	return c
}

// A verified is the JSON form of the result of verify; its keys are a promise.
type verified struct {
	File     string    `json:"file"`
	OK       bool      `json:"ok"`
	Findings []finding `json:"findings"`
}

// A finding is one message of verify about a file.
type finding struct {
	Level   string  `json:"level"` // "error" or "note"
	Member  *string `json:"member"`
	Offset  int64   `json:"offset"` // in the file or member
	Path    string  `json:"path"`
	Message string  `json:"message"`
}

// A verifier checks one file.
type verifier struct {
	app       *app
	file      target
	members   int // checked so far, if the file is an archive
	maxHeader int
	objects   objectFlags
	buffer    *bufio.Reader // used for the file, or for one member after another
	arrays    []info
	findings  []finding
	errors    int // findings that are errors
}

func (v *verifier) ok() bool { return v.errors == 0 }

func (v *verifier) note(offset int64, format string, args ...any) {
	v.findings = append(v.findings, finding{"note", v.file.memberName(), offset, "", fmt.Sprintf(format, args...)})
}

// wrong records an error. base is the offset of the array in the file.
func (v *verifier) wrong(base int64, err error) {
	f := finding{Level: "error", Member: v.file.memberName(), Offset: base, Message: reason(err)}
	var fe *format.Error
	if errors.As(err, &fe) {
		f.Offset, f.Path, f.Message = base+fe.Offset, fe.Path, fe.Err.Error()
	}
	v.findings = append(v.findings, f)
	v.errors++
}

// verify checks the file or the member that an argument names.
func (a *app) verify(v *verifier, arg string) error {
	t, err := parseTarget(arg)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", arg, err)
	case t.index != nil:
		return fmt.Errorf("%s: files are verified as a whole", arg)
	}
	v.file = t
	z, err := a.openArchive(t.path, npy.Decoder{MaxHeader: v.maxHeader})
	switch {
	case err != nil:
		v.wrong(0, err)
	case z != nil:
		defer z.close()
		v.archive(z)
	case t.member != "":
		v.wrong(0, fmt.Errorf("the file is one array and no archive"))
	default:
		f, err := a.open(t)
		if err != nil {
			v.wrong(0, err)
			break
		}
		isFile := sizeOf(f) > 0
		f = a.watch(f, t.path, sizeOf(f))
		defer f.Close()
		v.stream(v.reader(f), isFile)
	}
	return nil
}

// reader returns a buffered reader of f. All members share its buffer.
func (v *verifier) reader(f io.Reader) *bufio.Reader {
	if v.buffer == nil {
		v.buffer = bufio.NewReaderSize(nil, 1<<20)
	}
	v.buffer.Reset(f)
	return v.buffer
}

// stream checks the arrays of a file or member. If ends is set it reads to the end; a device or a pipe may have none.
func (v *verifier) stream(buffer *bufio.Reader, ends bool) {
	before := v.errors
	r := &counter{r: buffer}
	for first := true; v.array(r, first); first = false {
	}
	if !ends {
		return
	}
	if _, err := io.Copy(io.Discard, r); err != nil && v.errors == before { // the checksum of a member is verified at its end
		v.wrong(0, err)
	}
}

// A counter counts the bytes that have been read.
type counter struct {
	r *bufio.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// array checks the next array and reports whether another one may follow.
func (v *verifier) array(r *counter, first bool) bool {
	base := r.n
	head, _ := r.r.Peek(len(format.Magic))
	if !first {
		if len(head) == 0 {
			return false
		}
		if string(head) != format.Magic {
			v.note(base, "more data behind the array, which NumPy ignores")
			return false
		}
		v.note(base, "another array behind the first, which NumPy reads only from an open file")
	}
	h, err := format.Decoder{MaxHeader: v.maxHeader}.ReadHeader(r)
	if err != nil {
		v.wrong(base, explain(err))
		return false
	}
	v.arrays = append(v.arrays, newInfo(v.file.path, h))
	v.header(h, base)
	switch {
	case h.DType.HasObject() && v.objects.refuse:
		v.note(base+h.DataOffset, "the elements are a Python pickle, which --no-pickle leaves unchecked")
		return false
	case h.DType.HasObject():
		return v.checkObjects(r, h, base)
	}
	if err := v.data(r, h); err != nil {
		v.wrong(base, err)
		return false
	}
	return true
}

// NumPy's limits.
const (
	numpyMaxHeader = 10000 // numpy.lib.format._MAX_HEADER_SIZE
	numpy1MaxDims  = 32
)

// header records what is unusual in a valid header.
func (v *verifier) header(h format.Header, base int64) {
	switch text, err := h.Append(nil); {
	case h.DataOffset%format.ArrayAlign != 0:
		v.note(base+h.DataOffset, "the data is not aligned to %d bytes, as in files of old or other writers", format.ArrayAlign)
	case err == nil && int64(len(text)) != h.DataOffset:
		v.note(base, "header of %d bytes, where NumPy would write one of %d", h.DataOffset, len(text))
	}
	if n := h.DataOffset - 10; n > numpyMaxHeader {
		v.note(base+8, "header of %d bytes: NumPy reads it only with max_header_size or allow_pickle", n)
	}
	if len(h.Shape) > numpy1MaxDims {
		v.note(base, "%d dimensions: NumPy 1 reads at most %d", len(h.Shape), numpy1MaxDims)
	}
	if name := h.DType.Name(); strings.HasPrefix(h.DType.Descr(), "<f1") || strings.HasPrefix(h.DType.Descr(), "<c4") {
		v.note(base, "NumPy reads dtype %s only together with the ml_dtypes package", name)
	}
}

// wayOut returns the way out for a truncated file. There is none for a member of an archive.
func (v *verifier) wayOut(have int64) string {
	if have == 0 || v.file.archive != nil {
		return ""
	}
	return savesRows
}

// data reads the elements in blocks, and checks elements that can be invalid.
func (v *verifier) data(r io.Reader, h format.Header) error {
	size, left := h.DType.ItemSize(), h.Size()
	if size == 0 || left == 0 {
		return nil
	}
	texts := hasText(h.DType)
	var buf bytes.Buffer // grows as the bytes of a large element arrive
	for done := 0; left > 0; {
		n := min(left, max(1<<20/size, 1))
		var to io.Writer = &buf
		if buf.Reset(); !texts {
			to = io.Discard
		}
		m, err := io.CopyN(to, r, int64(n)*int64(size))
		if err != nil {
			have := int64(done)*int64(size) + m
			if err == io.EOF {
				err = fmt.Errorf("the data ends after %d of %d bytes%s", have, h.NBytes(), v.wayOut(have))
			}
			return &format.Error{Offset: h.DataOffset + have, Err: err}
		}
		if texts {
			if err := checkText(h, buf.Bytes(), done); err != nil {
				return err
			}
		}
		left, done = left-n, done+n
	}
	return nil
}

// hasText reports whether t contains characters: the only elements for which some byte patterns are invalid.
func hasText(t dtype.Type) bool {
	if t.IsSubarray() {
		return hasText(t.Elem())
	}
	for _, f := range t.Fields() {
		if hasText(f.DType) {
			return true
		}
	}
	return t.Kind() == dtype.KindStr
}

// checkText looks for invalid code points in whole elements. The first element has number first.
func checkText(h format.Header, data []byte, first int) error {
	size := h.DType.ItemSize()
	for i := 0; i < len(data); i += size {
		if at, err := badText(h.DType, data[i:i+size]); err != nil {
			element := first + i/size
			return &format.Error{Offset: h.DataOffset + int64(element)*int64(size) + int64(at), Err: fmt.Errorf("element %d: %w", element, err)}
		}
	}
	return nil
}

// badText returns the offset of the first invalid character in an element.
func badText(t dtype.Type, item []byte) (int, error) {
	switch {
	case t.IsSubarray():
		elem := t.Elem()
		for at := 0; elem.ItemSize() > 0 && at < len(item); at += elem.ItemSize() {
			if bad, err := badText(elem, item[at:at+elem.ItemSize()]); err != nil {
				return at + bad, err
			}
		}
	case t.Kind() == dtype.KindStr:
		_, err := scalar.AppendUCS4(nil, item, t.ByteOrder() == dtype.BigEndian)
		var bad *scalar.CodePointError
		if errors.As(err, &bad) {
			return 4 * bad.Index, fmt.Errorf("character %d is 0x%x, beyond the last code point 0x10ffff", bad.Index, bad.Value)
		}
	}
	for _, f := range t.Fields() {
		if at, err := badText(f.DType, item[f.Offset:f.Offset+f.DType.ItemSize()]); err != nil {
			return f.Offset + at, fmt.Errorf("field %q: %w", f.Name, err)
		}
	}
	return 0, nil
}

func (v *verifier) report(w io.Writer, asJSON, quiet bool) error {
	if quiet && v.ok() {
		return nil
	}
	if asJSON {
		if v.findings == nil {
			v.findings = []finding{}
		}
		return terminal.NewJSON(w).Encode(verified{v.file.path, v.ok(), v.findings})
	}
	verdict := "ok"
	if !v.ok() {
		verdict = "not ok"
	}
	name := terminal.Printable(fileName(v.file.name()))
	if v.members > 0 || v.file.archive != nil {
		verdict += fmt.Sprintf(": %s, %s", counted(v.members, "member"), counted(len(v.arrays), "array"))
	} else if len(v.arrays) > 0 {
		i := v.arrays[0]
		verdict += fmt.Sprintf(": %s %s, %s", terminal.Printable(numbers.TypeText(i.dtype)), shapeText(i.Shape), bytesText(i.NBytes))
	}
	fmt.Fprintf(w, "%s: %s\n", name, verdict)
	for _, f := range v.findings {
		place := fmt.Sprintf("byte %d", f.Offset)
		if f.Path != "" {
			place += " (" + f.Path + ")"
		}
		if f.Member != nil {
			place += " of member " + strconv.Quote(*f.Member)
		}
		fmt.Fprintf(w, "  %s at %s: %s\n", f.Level, place, terminal.Printable(f.Message))
	}
	return nil
}
