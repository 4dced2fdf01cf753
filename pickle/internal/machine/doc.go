// Package machine executes pickles as far as no class of values is needed: the stack with its marks, the memo, the limits,
// and the atoms, which are None, bools, numbers, str and bytes. A Builder does the rest. The most frequent opcodes of
// large pickles run first, a row at a time and straight from the bytes at hand (quick.go).
package machine
