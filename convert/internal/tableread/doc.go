// Package tableread reads tables: CSV, TSV and the text of numpy.savetxt.
//
// A table (table.go) is read in two passes: a survey (survey.go) finds the columns, and a filler (fill.go) parses the rows. If the
// dtype is complete there is only the second. Before that, sniff.go chooses the delimiter. header.go decides whether the first row
// holds names, and names.go makes them the names of fields.
package tableread
