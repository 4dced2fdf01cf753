// Package tableread reads tables: CSV, TSV and the text of numpy.savetxt.
//
// A table (table.go) is read in two passes (read.go): a survey (survey.go) finds the columns, whose dtypes dtype.go infers, and a
// filler (fill.go) parses the rows. If the dtype is complete there is only the second. The second does without the text if the survey
// could keep the cells (kept.go). fields.go chooses the columns that are read. Before that, sniff.go chooses the delimiter.
// header.go decides whether the first row holds names, and names.go makes them the names of fields; columns.go finds the value of
// the dtype for each column. ragged.go treats rows of other lengths.
package tableread
