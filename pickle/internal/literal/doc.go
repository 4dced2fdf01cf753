// Package literal reads and writes ints, floats and texts in the forms that pickles have for them: decimal digits, two's
// complement, the codecs raw-unicode-escape and Latin-1, and the repr of a str of Python 2. Its functions are named by
// the opcodes and use no stack.
package literal
