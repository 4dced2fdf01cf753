// Package opcode is the instruction set of pickles: the opcodes with their names and arguments, and a Scanner that takes
// them from a stream. It executes none.
package opcode
