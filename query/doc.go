// Package query chooses and orders the rows of arrays of any size: rows that satisfy a condition, sorted rows, samples,
// distinct rows and groups by fields and expressions, and joins two arrays. A row is one index of the first axis, a record for example.
//
//	rows, err := query.Filter(ctx, file, "mag > 5 and time >= '2024-03-01'")
//
// All functions take an [github.com/npygo/npy.Source], which they read in blocks, on several goroutines.
//
// # Conditions
//
// A condition is an expression in Python's syntax that is true or false for each row. Its names are the fields of records,
// also fields of fields as pos.x, and names that are not identifiers as x['my field'] or between backquotes. For a plain
// array x is the row: x > 5 for an array of one dimension, x[3] or x[:, 3] for element 3 of each row, any(x > 5) and
// all(x > 5) for all elements of a row. A field that is a subarray works in the same way. The word row is the number of the
// row.
//
// The operators are Python's, with its precedence: == != < <= > >= in and not in, also in chains such as
// 0 < x < 5; + - * / // % **; & | ^ ~ and the words and, or, not, which mean the same for conditions. The functions are
// abs, min, max, round, floor, ceil, trunc, sqrt, exp, log, log2, log10, sin, cos, tan, real, imag, isnan, isinf, isfinite
// and isnat; len, lower, upper, strip, startswith, endswith and contains of text; year, month, day, hour, minute, second and
// weekday of times. A function of one value can follow the value: name.startswith('A'), z.real.
//
// Arithmetic has the dtypes of NumPy 2: integers wrap around, a constant takes the dtype of its operand, // and % round
// down, and an integer divided by zero is 0. Comparisons of integers with each other and with floats are exact. A float32 or
// float16 is compared with a constant of its own precision, so that a float32 made of 0.1 equals 0.1. Long doubles are
// rounded to float64. NaN and NaT are not equal to anything and neither less nor greater.
//
// Times are compared with text, exactly in every unit: time >= '2024-03-01T12:00' and, for durations, a number with a unit:
// dt > '1.5 h'. A date that does not exist, such as '2023-02-29', is an [*Error] at its place. Text is compared by code points,
// bytes by bytes.
//
// Such texts stand beside times in arithmetic, too: time + '1 D', dur / '1 h', time - '2024-03-01'. They have the finest unit in the
// text, or a finer one that they are a whole number of.
//
// Arithmetic of times has NumPy's rules: differences of times, sums and differences with durations, products and quotients of a
// duration and a number, and quotients and remainders of durations. The unit of a result is the common one of
// numpy.promote_types: m8[2D] + m8[3D] has days. A result that does not fit in 64 bits is an error of the row. With NaT the
// result is NaT, for / of two durations NaN, and for // of two durations 0, as in NumPy. The functions year to weekday have
// float64 results, which are NaN for NaT.
//
// An expression has at most 64 KB, 10,000 names, constants and operators, and 200 levels of brackets.
package query

// Reading the source. The files here are the API: settings, their documentation, and one call each of a package below
// internal. The doc.go of each package says how it is read.
//
// Conditions: syntax parses an expression, and expression compiles it into a tree of nodes. Each has a function that
// computes a block of some thousand values at once, with the buffers and columns of package values. A column is a place within a row. Its items become bools, int64,
// float64, complex128 or texts, except where a column meets a constant: then the constant is converted, and the items are
// compared as they are stored. Times are counts of a step, which operators convert to the common step of NumPy's promotion.
//
// Filters: filter reads rows at any offset, the columns alone where rows are large or stored by columns, or blocks in
// sequence. Goroutines evaluate chunks of 512 KB, and their results form a rowset in the order of the chunks. Filter
// returns a Source that reads the rows of the set when it is read. Rows copies rows while their chunk is in the cache.
//
// Sorting: sortkey turns the keys of a row into 64-bit words that compare as the values do. order sorts the first words
// with the numbers of the rows, by the highest bits that differ, and goes on with the next word where words are equal.
// Then it gathers the rows. Data that does not fit in memory is sorted in runs, which a temporary file next to the output
// holds until a heap merges them.
//
// Grouping: group has a hash table of the same words for each chunk of rows, with an aggregate for each result, and
// merges the tables in the order of the chunks. Keys and results that are expressions are computed for the chunk, beside its rows.
// rowsource reads the rows of a source in sequence for order and group.
//
// Joins: join sorts the right rows, and the left keys with the numbers of their rows. A walk through both finds the place of the first
// match of each left row and the number of matches. The rows are copied when the result is read.
