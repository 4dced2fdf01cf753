// Package diagnose makes one line of an error: the fault, its place, and the way out. Errors of an input are a
// [FileError]; every other error is wrong use of the command.
package diagnose

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"strings"
	"syscall"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/cmd/npy/internal/suggest"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/pickle"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/remote"
)

// A FileError is an error of a file or of a member of an archive.
type FileError struct {
	File    string // path, or path:member
	Err     error
	Remains string // of File, after an error of writing; begins with a semicolon
}

// Error implements error.
func (e FileError) Error() string { return e.File + ": " + e.Text() }

// Unwrap returns e.Err.
func (e FileError) Unwrap() error { return e.Err }

// Text describes the fault. It names the member of the archive unless File does.
func (e FileError) Text() string {
	var ze *npz.Error
	if errors.As(e.Err, &ze) && ze.Member != "" && !strings.HasSuffix(e.File, ":"+strings.TrimSuffix(ze.Member, ".npy")) && !strings.HasSuffix(e.File, ":"+ze.Member) {
		return fmt.Sprintf("member %q: %s", ze.Member, Text(e.Err))
	}
	return textIn(e.File, e.Err) + savingRows(e.Err) + SavingMembers(e.File, e.Err)
}

// Hint returns the suggestion that follows the text: the file that was meant, or the remains of a file that could not be written.
func (e FileError) Hint() string {
	switch {
	case errors.Is(e.Err, fs.ErrNotExist) && isOfSystem(e.Err):
		return suggest.File(e.File)
	case errors.Is(e.Err, format.ErrMagic) && isText(e.File):
		return "; 'npy show' and 'npy convert' read it"
	case !IsFull(e.Err) || e.Remains != "":
		return e.Remains
	}
	if _, err := os.Lstat(e.File); err == nil {
		return "; it is as it was before"
	}
	return "; no incomplete file was left"
}

// isOfSystem reports whether the file system gave an error, and not a file.
func isOfSystem(err error) bool {
	var pe *fs.PathError
	return errors.As(err, &pe)
}

// isText reports whether a file has the ending of a format that convert reads.
func isText(path string) bool {
	_, ok := convert.ForFile(path)
	return ok
}

// IsFull reports whether err comes from a write for which there is no space: on the device, in the user's quota, or
// under the limit of file sizes.
func IsFull(err error) bool {
	const windowsDiskFull = syscall.Errno(112)
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, full) {
			return true
		}
	}
	return runtime.GOOS == "windows" && errors.Is(err, windowsDiskFull)
}

// Told passes an error of a file to complain, and returns every other error.
func Told(err error, complain func(FileError)) error {
	var e FileError
	if !errors.As(err, &e) {
		return err
	}
	complain(e)
	return nil
}

// savingRows returns the way out for a file that ends too early but has some of its data.
func savingRows(err error) string {
	var short *format.ShortError
	var ze *npz.Error
	if !errors.As(err, &short) || short.Have == 0 || errors.As(err, &ze) {
		return ""
	}
	return SavesRows
}

// SavingMembers returns the way out for a file that begins as an archive but cannot be read as one.
func SavingMembers(path string, err error) string {
	if !errors.Is(err, npz.ErrArchive) {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 4)
	if _, err := io.ReadFull(f, head); err != nil || !container.IsArchive(head) {
		return ""
	}
	return "; 'npy repair FILE OUT.npz' saves the members that are whole"
}

// SavesRows ends the message about a file that is cut short.
const SavesRows = "; 'npy repair FILE OUT' saves the rows that are whole"

// Of returns err as an error of a file. nil stays nil.
func Of(file string, err error) error {
	if err == nil {
		return nil
	}
	return FileError{File: file, Err: err}
}

// OfEither returns err as an error of in if err names in, else as an error of out.
func OfEither(in, out string, err error) error {
	if err == nil || IsBrokenPipe(err) {
		return err
	}
	file := out
	if Names(err, in) || OfReading(err) {
		file = in
	}
	return FileError{File: file, Err: Flagged(err, "")}
}

// OfReading reports whether err says that the file that is read stores far fewer elements than it describes.
func OfReading(err error) bool {
	var over *npy.LimitError
	return errors.As(err, &over) && over.Name == "MaxRatio"
}

// OfWriting reports whether err comes from writing a file at a URL.
func OfWriting(err error) bool {
	var re *remote.Error
	return errors.As(err, &re) && re.Op == "write"
}

// Flagged returns err with the text of [WithFlags].
func Flagged(err error, command string) error {
	if err == nil {
		return nil
	}
	return flagged{err, command}
}

// flagged is an error with the text of [WithFlags].
type flagged struct {
	error
	command string
}

func (f flagged) Error() string { return WithFlags(f.error, f.command) }

func (f flagged) Unwrap() error { return f.error }

// Names reports whether err is about the file of a path.
func Names(err error, path string) bool {
	var re *remote.Error
	if errors.As(err, &re) {
		return remote.IsURL(path) && re.Op != "write"
	}
	var pe *fs.PathError
	for ; errors.As(err, &pe); err = pe.Err {
		if pe.Path == path {
			return true
		}
	}
	return false
}

// Text describes the fault, without the names of the file and the program, which the line begins with. It ends with the
// way out: a flag, or another name.
func Text(err error) string { return textIn("", err) }

// textIn is Text for a line that begins with a name: of a file, or of an array in a file, which the text does not repeat.
func textIn(name string, err error) string {
	var f flagged
	if errors.As(err, &f) {
		return withFlags(name, f.error, f.command)
	}
	return diagnosis(name, err) + limits.Advice(err)
}

// opener is the function of Go that opens a file. The command knows which one, so it is wrong use if none is right.
var opener = regexp.MustCompile(`: use [a-z0-9]+\.(Open|OpenFile|Decoder|Read)$`)

// diagnosis is textIn without the advice about a limit.
func diagnosis(name string, err error) string {
	err = inner(err)
	text := faultOf(name, err)
	var ze *npz.Error
	if errors.As(err, &ze) && ze.Member != "" {
		if text = diagnosis(name, ze.Err); ze.Offset >= 0 {
			text += fmt.Sprintf(" (the member is at byte %d)", ze.Offset)
		}
	}
	var fe *npy.FieldError
	if errors.As(err, &fe) {
		text += suggest.DidYouMean("%q", fe.Path, FieldNames(fe.DType))
	}
	var qe *query.Error
	if errors.As(err, &qe) { // Caret shows where it is
		text = qe.Msg + suggest.DidYouMean("%s", qe.Name, qe.Known)
	}
	var me *npz.MethodError
	if errors.As(err, &me) {
		text = fmt.Sprintf("compressed with %s, which npy cannot read; unpack it with the program that made it", me.Method)
	}
	text = TableFlags(text)
	if before, ok := strings.CutSuffix(text, ": use pickle.Decoder"); ok {
		text = before + "; 'npy pickle' says what it would run, and 'npy show' prints it"
	}
	text = opener.ReplaceAllString(text, "")
	for _, kind := range []error{errors.ErrUnsupported, fs.ErrNotExist} { // the text says it before
		if before, ok := strings.CutSuffix(text, ": "+kind.Error()); ok && !isOfSystem(err) {
			text = before
		}
	}
	var en syscall.Errno
	if errors.As(err, &en) { // on Windows the text is a sentence
		text = strings.TrimSuffix(text, ".")
	}
	return text
}

// faultOf returns the message of an error without the name of its package and without its place, if name ends with that. The errors
// of the library know both.
func faultOf(name string, err error) string {
	if e, ok := err.(interface{ Fault(name string) string }); ok {
		return e.Fault(name)
	}
	return err.Error()
}

// Caret returns the lines that follow the text of an error in a condition: the part of the condition, and a mark below the
// fault. For every other error there are none.
func Caret(err error) []string {
	var qe *query.Error
	if !errors.As(err, &qe) {
		return nil
	}
	return strings.Split(qe.Caret(), "\n")
}

// inner returns the error within errors that name a path.
func inner(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	var re *remote.Error
	var part *parts.PartError
	if errors.As(err, &part) { // which part it is stays
		return &parts.PartError{Path: part.Path, Err: errors.New(Text(Explain(part.Err)))}
	}
	for {
		switch {
		case errors.As(err, &re):
			err = re.Err
		case errors.As(err, &pe):
			err = pe.Err
		case errors.As(err, &le):
			err = le.Err
		default:
			return err
		}
	}
}

// Explain adds the command's advice to an error about a file that is not an array.
func Explain(err error) error {
	switch {
	case err == nil:
		return nil
	case err == io.EOF:
		return &format.Error{Err: fmt.Errorf("the file is empty: %w", io.ErrUnexpectedEOF)}
	case errors.Is(err, npy.ErrObjects):
		return refusedObjects{}
	}
	var te *pickle.TextError
	if errors.As(err, &te) { // its way out is a field of the library, not a flag
		text, _, _ := strings.Cut(err.Error(), ": choose the Decoder's Encoding")
		return fmt.Errorf("%s; --encoding latin1 or bytes reads it", text)
	}
	return err
}

// refusedObjects is the error for Python objects without a decoder for them.
type refusedObjects struct{}

func (refusedObjects) Unwrap() error { return npy.ErrObjects }

func (refusedObjects) Error() string {
	return "it holds Python objects, which --no-pickle refuses; without --no-pickle they are read as data and nothing is run"
}

// NoObjects is Explain for subcommands that need elements of equal size.
func NoObjects(err error) error {
	if errors.Is(err, npy.ErrObjects) {
		return errors.New("it holds Python objects, or text of any length, which have no fixed size; 'npy convert' copies them and parts of them")
	}
	return Explain(err)
}

// WithFlags returns the text of an error, with the flag that allows a cast where the library has its name for it: a casting, of
// this command or of another one, or the dtype of void elements.
func WithFlags(err error, command string) string { return withFlags("", err, command) }

// withFlags is WithFlags for a line that begins with a name, as [textIn].
func withFlags(name string, err error, command string) string {
	text := textIn(name, err)
	var e *npy.CastError
	if !errors.As(err, &e) { // a value out of range, which only unsafe casting allows
		return strings.Replace(text, "; unsafe casting", "; "+command+"--casting unsafe", 1)
	}
	way := ""
	switch void := e.From.Kind() == dtype.KindVoid && !e.From.IsStruct() && e.From.ItemSize() <= 2; {
	case e.Needs > e.Casting:
		way = fmt.Sprintf("; %s--casting %s allows it", command, e.Needs)
	case void:
		way = "; if it is of ml_dtypes, whose types NumPy writes as void, --as says which"
	case e.Hint != "":
		way = "; " + e.Hint
	}
	return strings.Replace(text, e.Fault(name), e.Reason+way, 1)
}

// TableFlags replaces the names of options, of tables above all, in a text by the names of flags.
func TableFlags(text string) string {
	return strings.NewReplacer("RaggedFill", "--ragged fill", "RaggedSkip", "--ragged skip", "write it again with Encoder.Unlimited", "in h5py, create it with maxshape=(None, ...)",
		"set DType to convert all arrays", "--dtype converts all arrays", "choose them by name", "'npy fields --keep NAME,NAME IN OUT' chooses them by name", "give an encoding such as", "give --encoding, such as", "give a dtype", "give --dtype",
		"give the order of dates", "give --dates dmy or --dates mdy", "a given decimal separator '.'", "--decimal .",
		"Options.PrivateRedirects is set", "--private-redirects is given", "Options.Timeout", "--timeout", "Folder.Links", "--follow-links").Replace(text)
}

// FieldNames returns the names of the fields of a struct.
func FieldNames(t dtype.Type) []string {
	var names []string
	for _, f := range t.Fields() {
		names = append(names, f.Name)
	}
	return names
}

// FileName returns the name of a path for messages. A URL is named without its query and credentials.
func FileName(path string) string {
	if path == "-" {
		return "standard input"
	}
	return remote.Redact(path)
}

// OutName returns the name of a path that is written, for messages.
func OutName(path string) string {
	if path == "-" {
		return "standard output"
	}
	return FileName(path)
}

// Counted returns a number and a noun, in the plural unless the number is 1.
func Counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprint(n, " ", thing)
}

// IsBrokenPipe reports whether err comes from writing to a pipe whose reader has gone.
func IsBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// Bytes formats a size in bytes. From 10,000 bytes on, the size in a larger unit comes first.
func Bytes(n int64) string {
	exact := fmt.Sprintf("%d bytes", n)
	if n == 1 {
		exact = "1 byte"
	}
	if n < 10_000 {
		return exact
	}
	size, units := float64(n), "kMGTPE"
	unit := -1
	for size >= 999.5 && unit < len(units)-1 {
		size /= 1000
		unit++
	}
	return fmt.Sprintf("%.3g %cB (%s)", size, units[unit], exact)
}
