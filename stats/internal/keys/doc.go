// Package keys turns numbers and times into 64-bit keys that sort as they do, and back (floats.go, keys.go).
package keys
