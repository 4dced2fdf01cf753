package cast

import (
	"fmt"

	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/elem"
)

// An Error reports that a Casting does not allow the conversion from one dtype to another.
type Error struct {
	From, To       dtype.Type
	Casting, Needs Casting // Needs is the strictest that allows it, or Casting if none does
	Reason         string  // without a way out
	Hint           string  // another way out, "" for none
}

// Error returns one line with the way out.
func (e *Error) Error() string { return "npy: " + e.Fault("") }

// Fault returns the message without the name of the package, for a line that begins with the name of the file.
func (e *Error) Fault(_ string) string { return Refusal(e.Reason, e.Casting, e.Needs, e.Hint) }

// Refusal returns the text of an [Error], without the name of the package.
func Refusal(reason string, casting, needs Casting, hint string) string {
	switch {
	case needs > casting:
		reason += "; " + needs.String() + " casting allows it"
	case hint != "":
		reason += "; " + hint
	}
	return reason
}

// refuse returns the error for a conversion that needs a laxer casting than the given one, or does not exist.
func refuse(from, to dtype.Type, casting, needs Casting) error {
	e := &Error{From: from, To: to, Casting: casting, Needs: needs}
	a, b := nameOf(from), nameOf(to)
	switch {
	case needs > Unsafe:
		e.Needs = casting
		e.Reason, e.Hint = "no conversion from dtype "+a+" to "+b+difference(from, to), hint(from, to)
	case casting == Safe:
		e.Reason = fmt.Sprintf("no conversion from dtype %s to %s keeps every value", a, b)
	default:
		e.Reason = fmt.Sprintf("%s casting does not convert dtype %s to %s", casting, a, b)
	}
	return e
}

// nameOf returns the name of a dtype in errors: its descr, or its name if the descr is void.
func nameOf(t dtype.Type) string {
	if elem.IsNamed(t) {
		return t.Name()
	}
	return t.String()
}

// difference says why structs cannot be converted to each other.
func difference(from, to dtype.Type) string {
	if from.IsStruct() && to.IsStruct() && from.NumField() != to.NumField() {
		return fmt.Sprintf(", which has %d fields and not %d", to.NumField(), from.NumField())
	}
	return ""
}

// hint returns the way out of some conversions that do not exist.
func hint(from, to dtype.Type) string {
	switch {
	case from.HasObject():
		return "As gives objects of one type as Go values"
	case isPlainVoid(from) && from.ItemSize() <= 2:
		return "if it is of ml_dtypes, whose types NumPy writes as void, Decoder.VoidAs or AsType says which"
	case IsGeneric(to) && elem.IsText(from):
		return "say the unit, such as " + to.Descr() + "[s]"
	}
	return ""
}
