// Package query chooses and orders the rows of arrays of any size: rows that satisfy a condition, sorted rows, samples,
// distinct rows and groups. A row is one index of the first axis, a record for example.
//
//	rows, err := query.Filter(ctx, file, "mag > 5 and time >= '2024-03-01'")
//
// All functions take an [github.com/npygo/npy.Source], which they read in blocks, on several goroutines.
//
// # Conditions
//
// A condition is an expression in Python's syntax that is true or false for each row. Its names are the fields of records,
// also fields of fields as pos.x, and names that are no identifiers as x['my field'] or between backquotes. For a plain
// array x is the row: x > 5 for an array of one dimension, x[3] or x[:, 3] for element 3 of each row, any(x > 5) and
// all(x > 5) for all elements of a row. A field that is a subarray works in the same way. The word row is the number of the
// row.
//
// The operators are those of Python, with its precedence: == != < <= > >= in and not in, also in chains such as
// 0 < x < 5; + - * / // % **; & | ^ ~ and the words and, or, not, which mean the same for conditions. The functions are
// abs, min, max, round, floor, ceil, trunc, sqrt, exp, log, log2, log10, sin, cos, tan, real, imag, isnan, isinf, isfinite
// and isnat; len, lower, upper, strip, startswith, endswith and contains of text; year, month, day, hour, minute, second and
// weekday of times. Those of one value can follow it: name.startswith('A'), z.real.
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
// Arithmetic of times has NumPy's rules: differences of times, sums and differences with durations, products and quotients of a
// duration and a number, and quotients and remainders of durations. The unit of a result is the common one of
// numpy.promote_types: m8[2D] + m8[3D] has days. A result that does not fit in 64 bits is an error of the row. With NaT the
// result is NaT, for / of two durations NaN, and for // of two durations 0, as in NumPy. The functions year to weekday have
// float64 results, which are NaN for NaT.
//
// An expression has at most 64 KB, 10,000 names, constants and operators, and 200 levels of brackets.
package query

// Reading the source. The files here are the API: settings, their documentation, and one call each of a package below
// internal, which says in its doc.go how it is read. A condition is parsed by syntax, compiled and evaluated in blocks of
// rows by expression, and filter finds the rows of a source that satisfy it, a rowset. sortkey turns the keys of rows
// into words that compare as the values do; order sorts by them, and group has a hash table of them. rowsource reads
// rows in sequence.
