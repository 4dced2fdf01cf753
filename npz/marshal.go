package npz

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MarshalText returns the name of the method, as [Method.String] does.
func (m Method) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads what [Method.String] returns. An error leaves m as it was.
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
		return fmt.Errorf("npz: %.40q is not a method of compression", text)
	}
	*m = Method(x)
	return nil
}

// noJSON returns the error for what is no data. Without it package encoding/json would write {}.
func noJSON(name, instead string) error {
	return fmt.Errorf("npz: %s is not data and has no JSON; %s: %w", name, instead, errors.ErrUnsupported)
}

// MarshalJSON returns an error: a Reader is an open archive.
func (z *Reader) MarshalJSON() ([]byte, error) {
	return nil, noJSON("a Reader", "marshal the arrays that it reads")
}

// MarshalJSON returns an error: a Writer is an archive that is being written.
func (w *Writer) MarshalJSON() ([]byte, error) {
	return nil, noJSON("a Writer", "marshal the arrays that are written")
}

// MarshalJSON returns an error: an Editor is an archive that is being changed.
func (ed *Editor) MarshalJSON() ([]byte, error) {
	return nil, noJSON("an Editor", "marshal the arrays of the archive")
}

// MarshalJSON returns an error: a Mapped is a file in memory.
func (m *Mapped) MarshalJSON() ([]byte, error) { return nil, noJSON("a Mapped", "marshal its Array") }
