package property

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/oracle"
)

// Told is Python's description of an array: told() in python/common.py.
type Told struct {
	Shape  []int  `json:"shape"`
	Descr  string `json:"descr"`
	Data   []byte `json:"data"`
	SHA256 string `json:"sha256"` // in place of the data of large arrays
}

// Decode reads the value of an answer.
func Decode[T any](a oracle.Answer) (x T) {
	if err := json.Unmarshal(a.Value, &x); err != nil {
		panic(fmt.Sprintf("answer %.200s: %v", a.Value, err))
	}
	return x
}

// String describes the array for a reader.
func (w Told) String() string {
	if w.SHA256 != "" {
		return fmt.Sprintf("%s %v %s", w.Descr, w.Shape, w.SHA256)
	}
	return fmt.Sprintf("%s %v %x", w.Descr, w.Shape, w.Data)
}

// TellLike describes an array of this module in the form of Told: without padding, which has no meaning.
func TellLike(a *npy.Array, want Told) (got, wanted string) {
	t := a.DType()
	x := Told{Shape: a.Shape(), Descr: string(t.AppendDescr(nil)), Data: WithoutGaps(t, a.Bytes())}
	if want.SHA256 != "" {
		sum := sha256.Sum256(x.Data)
		x.Data, x.SHA256 = nil, hex.EncodeToString(sum[:])
	} else if len(want.Data) == len(x.Data) {
		want.Data = WithoutGaps(t, want.Data)
	}
	return x.String(), want.String()
}

// SameArray compares an array, or the error in its place, with NumPy's answer.
func (r *Report) SameArray(what string, a *npy.Array, err error, answer oracle.Answer) bool {
	switch {
	case answer.Error != "" && err != nil:
		return r.True(what, true, "", "")
	case answer.Error != "":
		return r.Equal(what, fmt.Sprintf("no error but %s %v", a.DType(), a.Shape()), answer.Error+": "+answer.Message)
	case err != nil:
		return r.Equal(what, "error: "+err.Error(), cut(Decode[Told](answer).String()))
	}
	got, want := TellLike(a, Decode[Told](answer))
	return r.Equal(what, got, want)
}
