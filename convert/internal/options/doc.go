// Package options has the settings of reading and writing, and the report of a reading. The types have the fields of package
// convert, which documents them.
package options
