package jsonread

import (
	"errors"
	"strconv"

	"github.com/npygo/npy/convert/internal/fault"
	"github.com/npygo/npy/internal/elem"
)

// within adds a step to the path of an Error.
func within(err error, step string) error {
	var e *fault.Error
	if errors.As(err, &e) {
		e.Path = step + e.Path
	}
	return err
}

func indexStep(i int) string { return "[" + strconv.Itoa(i) + "]" }

func withinKey(err error, key string) error {
	if err == nil {
		return nil
	}
	return within(err, keyStep(key))
}

// keyStep returns a step of a path: .x, or ["a b"] for keys that are long or not names.
func keyStep(key string) string {
	for i, c := range key[:min(len(key), 41)] {
		if i == 40 || c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') && c < 0x80 {
			return "[" + elem.Quote(key) + "]"
		}
	}
	return "." + key
}
