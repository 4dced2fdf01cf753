// Package repr writes text as Python's repr does, as far as no class of values is needed: atoms, and names. No character
// of it is unprintable, and its length is limited.
package repr
