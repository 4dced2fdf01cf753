// Package repr writes text as Python's repr does, as far as no class of values is needed: atoms and names. The text is
// printable, and its length is limited.
package repr
