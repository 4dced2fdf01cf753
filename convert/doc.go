// Package convert writes arrays in other formats and reads them back: CSV, TSV, JSON, NDJSON, the text of numpy.savetxt and
// PNG images; and it writes tables for people, in Markdown and LaTeX.
//
//	f, ok := convert.ForFile("table.csv")
//	err := convert.Write(context.Background(), w, f, a, convert.WriteOptions{})
//	a, report, err := convert.Read(r, f, convert.ReadOptions{})                     // the dtype is worked out
//	a, report, err = convert.Read(r, f, convert.ReadOptions{DType: dtype.Float32})  // the dtype is given
//
// [Write] takes arrays of any size without holding them in memory, and [CopyFileFrom] reads such. A format from elsewhere is a
// [Converter], appended to [Standard]: the methods of [Formats] do then what the functions here do. doc/formats.md has a row
// for each format: what it keeps of an array, what it loses, and how much memory it takes.
//
// Tables are written and read on all processors. Without a dtype they are read twice: the first pass finds it out.
//
// What one element looks like is the same in all formats: floats have the fewest digits that read back exactly,
// datetime64 is ISO 8601, bytes that are no UTF-8 are \xNN, a lone surrogate in a str is \udXXX, void is hexadecimal,
// timedelta64 counts ticks. Read with the dtype it had, an array gets back every value. Not kept are the payload of
// NaNs, the padding of long doubles and structs, and what the sections below name.
//
// # CSV and TSV
//
// Lines end in "\n", cells are quoted as in RFC 4180 where they have to be, in TSV too: around the separator, quotes,
// line breaks, spaces at either end and a byte order mark, and where the only cell of a line is empty. An array of
// two dimensions has a row on each line, one of one dimension an element, and a single element is a line. Records of
// one dimension have a line each under a line of names; nested fields and subarrays become several columns, named
// outer.inner and x[0,1]. More dimensions do not fit and are an error. A shape is not kept where it has no text: an
// array of shape (n, 1) or () comes back with one dimension, one without elements as (0,) or as what its blank lines
// make.
//
// When reading, lines may end in "\n", "\r\n" or "\r"; lines without any character and a byte order mark are skipped.
// Spaces (and in CSV tabs) around numbers, bools, times and unquoted names do not count. An empty cell is a missing
// value: NaN, NaT or the empty text, and an error where the dtype has none.
//
// Without a dtype each column gets the first of these that all its cells can be: bool (the words only: 0 and 1 are
// numbers), int64, uint64, float64, complex128, datetime64 (in the unit of the most exact cell; a bare year is a
// number), str. Integers with cells missing are float64. Integers that would be changed by that, or that fit no dtype,
// are an error: give a dtype. Without a header, columns of one dtype (str of any length) make an array of two
// dimensions, of one if there is one column; otherwise the result is records with fields f0, f1, … With a header the
// result is records named by it, always, so that no name is lost; empty names become f0, f1, …
//
// Given a plain dtype, every cell is read as that. The dtypes "U" and "S" without a length get that of the longest
// cell, and so do such fields of records: [('name', 'U'), ('t', '<M8[s]')]. Given records, columns go by the names in the
// header, in any order, or by position if there is none.
//
// # The text of numpy.savetxt
//
// TXT has a number for every element, as %.18e, with spaces between: byte for byte what numpy.savetxt writes without options.
// Any spaces separate cells when reading, # begins a comment, there are no quotes, and no header unless HeaderYes says so:
// what numpy.loadtxt reads. Where all cells are numbers they have one dtype. Given a dtype of integers or bools, numbers may
// have a fraction of zeros and an exponent, so that what was written comes back: 1.5e+01 is 15, and 1.55e+01 an error.
//
// # JSON
//
// An array is nested lists, a single element stands alone, records are objects with lists for subarrays. NaN and the
// infinities are the strings "NaN", "Infinity" and "-Infinity", as in the JSON mapping of protocol buffers; complex
// numbers, str, bytes, void and datetime64 are strings; NaT is "NaT". Numbers are written with all their digits, also
// those beyond a float64, which other programs may round. NDJSON has one line for each element along the first axis,
// so that a single element comes back with one dimension. Behind an axis of length 0 no others are kept.
//
// Lists of equal lengths become dimensions; objects become records, their keys in the order of the first object,
// nested objects nested records, lists in them subarrays. All objects must have the same keys. Without a dtype the
// values are bool, int64, uint64, float64 or str; null and the three strings above may stand among numbers and make
// them float64. Anything else of mixed type is an error.
//
// # Python objects
//
// Arrays of dtype |O, and records with such fields, that were read by package objects are written, not read back. None
// is null and an empty cell. Numbers of any size, Decimals, bools, str and bytes are as above, and so are NumPy's scalars
// and arrays; a UUID, a Fraction, a class or a function is its text. Lists, tuples and sets are lists. A dict is an object
// if all its keys are str; if not, it is a list of pairs, so that the keys 1 and "1" stay two. The times of Python are
// ISO 8601, with the time zones of libraries in brackets: 2020-01-02T03:04:05.6+01:00, -PT1H30M. An object of any
// other class is {"class": "module.Name"} with those of "args", "kwargs", "items", "pairs" and "state" that it has, and a
// masked array is its "data", "mask" and "fill_value". In a table containers are cells of JSON.
//
// What is within itself is {"cycle": 1} there, or how many containers further out it is. What is shared is written in each
// place, as often as WriteOptions.MaxShared allows.
//
// # Images
//
// PNG holds arrays of bool (1 bit), uint8 and uint16 of shape (height, width), or (height, width, channels) with 2 to 4
// channels: grey and alpha, RGB, RGBA. Reading, palettes become RGB, a colour that is transparent becomes alpha, and samples
// are left as they are: not multiplied by alpha, not corrected for any display.
//
// # Text from strangers
//
// No input makes this package panic, and memory stays within a multiple of the length of the text, of the dtype given, or of
// the pixels that an image really has: 1032 for each compressed byte at most. Guards wrap [npy.ErrLimit]. Errors in a text are of type [*Error] and say where.
package convert
