// Package encoder writes the opcodes of pickles as CPython's pickler writes them, as far as no class of values is needed:
// atoms in every protocol, the memo, and the frames. Package pickle chooses the opcodes.
package encoder
