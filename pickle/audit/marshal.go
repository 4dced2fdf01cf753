package audit

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy/internal/diag"
)

// MarshalText returns the name of the verdict, as [Verdict.String] does.
func (v Verdict) MarshalText() ([]byte, error) {
	if v > RunsCode {
		return nil, diag.Errorf("audit", "invalid verdict %d", uint8(v))
	}
	return []byte(v.String()), nil
}

// UnmarshalText reads the name of a verdict. An error leaves v as it was.
func (v *Verdict) UnmarshalText(text []byte) error {
	for known := range RunsCode + 1 {
		if known.String() == string(text) {
			*v = known
			return nil
		}
	}
	return diag.Errorf("audit", "%.40q is not a verdict", text)
}

// MarshalText returns the names of the uses, as [Use.String] does.
func (u Use) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// UnmarshalText reads names of uses, separated by commas. An error leaves u as it was.
func (u *Use) UnmarshalText(text []byte) error {
	var uses Use
	if len(text) > 0 {
		for name := range strings.SplitSeq(string(text), ", ") {
			use, ok := useOf(name)
			if !ok {
				return diag.Errorf("audit", "%.40q is not a use of a global", name)
			}
			uses |= use
		}
	}
	*u = uses
	return nil
}

func useOf(name string) (Use, bool) {
	for i, known := range useNames {
		if name == known {
			return 1 << i, true
		}
	}
	return 0, false
}

// kindNames are the names of the kinds, in their order.
var kindNames = [...]string{"pickle", "array", "unexplained"}

// String returns the name of the kind: "pickle", "array" or "unexplained".
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// MarshalText returns the name of the kind, as [Kind.String] does.
func (k Kind) MarshalText() ([]byte, error) {
	if int(k) >= len(kindNames) {
		return nil, diag.Errorf("audit", "invalid kind %d", uint8(k))
	}
	return []byte(kindNames[k]), nil
}

// UnmarshalText reads the name of a kind. An error leaves k as it was.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kindNames[:], string(text))
	if i < 0 {
		return diag.Errorf("audit", "%.40q is not a kind of part", text)
	}
	*k = Kind(i)
	return nil
}

// MarshalJSON returns an object of the fields, in which Err is its text or null.
func (r Report) MarshalJSON() ([]byte, error) {
	type fields Report
	var text *string
	if r.Err != nil {
		text = new(string)
		*text = r.Err.Error()
	}
	return json.Marshal(struct {
		fields
		Err *string
	}{fields(r), text})
}
