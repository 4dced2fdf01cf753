// Package values has the text of elements: of plain values (formats.go), of Python objects as JSON (objects.go, encode.go,
// times.go), and of whole arrays as nested lists, which are JSON and NDJSON (lists.go).
//
// The writers see only the bytes of elements, and an object has none. So formats.go gives each field of dtype |O a function that
// knows which object is next. encode.go walks through an object; objects.go limits its depth, cycles and shared text.
package values
