package npz

import (
	"encoding/json"
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
