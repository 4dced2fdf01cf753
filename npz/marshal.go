package npz

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/npygo/npy/internal/diag"
)

// MarshalText returns the name of the method, as [Method.String] does.
func (m Method) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText parses a result of [Method.String]. After an error m is unchanged.
func (m *Method) UnmarshalText(text []byte) error {
	for _, known := range [...]Method{Store, Deflate, Bzip2, LZMA, Zstd} {
		if known.String() == string(text) {
			*m = known
			return nil
		}
	}
	number, ok := strings.CutPrefix(string(text), "method ")
	x, err := strconv.ParseUint(number, 10, 16)
	if !ok || err != nil {
		return diag.Errorf("npz", "%.40q is not a method of compression", text)
	}
	*m = Method(x)
	return nil
}

// noJSON returns the error for a type that is not data. Without the method, package encoding/json would write {}.
func noJSON(name, instead string) error {
	return diag.Errorf("npz", "%s is not data and has no JSON; %s: %w", name, instead, errors.ErrUnsupported)
}

// MarshalJSON returns an error: a Reader is an open archive.
func (z *Reader) MarshalJSON() ([]byte, error) {
	return nil, noJSON("a Reader", "marshal the arrays that it reads")
}

// MarshalJSON returns an error: a Writer is an unfinished archive.
func (w *Writer) MarshalJSON() ([]byte, error) {
	return nil, noJSON("a Writer", "marshal the arrays that are written")
}

// MarshalJSON returns an error: a MemberWriter is an unfinished member.
func (m *MemberWriter) MarshalJSON() ([]byte, error) {
	return nil, noJSON("a MemberWriter", "marshal the array that is written")
}

// MarshalJSON returns an error: an Editor is an unfinished change.
func (ed *Editor) MarshalJSON() ([]byte, error) {
	return nil, noJSON("an Editor", "marshal the arrays of the archive")
}

// MarshalJSON returns an error: a Mapped is mapped memory.
func (m *Mapped) MarshalJSON() ([]byte, error) { return nil, noJSON("a Mapped", "marshal its Array") }

// errText returns the text of an error for JSON, null for none.
func errText(err error) *string {
	if err == nil {
		return nil
	}
	text := err.Error()
	return &text
}

// MarshalJSON returns an object of the fields, in which Directory is its text or null.
func (r Repair) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Directory *string
		Members   []RepairedMember
	}{errText(r.Directory), r.Members})
}

// MarshalJSON returns an object of the fields, in which Err is its text or null.
func (m RepairedMember) MarshalJSON() ([]byte, error) {
	type fields RepairedMember
	return json.Marshal(struct {
		fields
		Err *string
	}{fields(m), errText(m.Err)})
}
