// Package convert writes arrays in other formats and reads them back: CSV, TSV, JSON, NDJSON, the text of numpy.savetxt
// and PNG images; and it writes tables for people, in Markdown and LaTeX.
//
//	err := convert.WriteFile(ctx, "table.csv", a, convert.WriteOptions{})
//	a, report, err := convert.ReadFile(ctx, "table.csv", convert.ReadOptions{})                  // the dtype is inferred
//	a, report, err = convert.Read(ctx, r, convert.CSV, convert.ReadOptions{DType: dtype.Float32}) // the dtype is given
//
// [Write] takes arrays of any size without holding them in memory, and [CopyFileFrom] reads arrays of any size. To add a
// format, append a [Converter] to [Standard] and use the methods of [Formats], which correspond to the functions here.
// doc/formats.md has a row for each format, with its losses and its memory.
//
// Tables are written and read on all processors. Without a dtype they are read twice: the first pass infers the dtype.
//
// An element has the same text in all formats. Floats have the fewest digits that read back exactly. datetime64 is ISO
// 8601, bytes that are not UTF-8 are \xNN, a lone surrogate in a str is \udXXX, void is hexadecimal, timedelta64 is a
// number of ticks. Read with its original dtype, an array gets every value back. Lost are the payload of NaNs, the
// padding of long doubles and structs, and the properties that the sections below name.
//
// # CSV and TSV
//
// Lines end in "\n". Cells are quoted as in RFC 4180 where necessary, in TSV too: if they contain the separator, quotes,
// line breaks, spaces at either end or a byte order mark, or if the only cell of a line is empty. An array of two
// dimensions has a row on each line, an array of one dimension has one element on each line, and a single element is one
// line. Records of one dimension have one line each after a line of names. Nested fields and subarrays become several
// columns, named outer.inner and x[0,1]. More dimensions are an error. A shape is lost where it has no text: an array of
// shape (n, 1) or () is read with one dimension. An array without elements is read as (0,), or with the shape that its
// blank lines give.
//
// A spreadsheet runs cells of text that begin as formulas do, as in =HYPERLINK(…). Text is written as it is, unless
// WriteOptions.EscapeFormulas is set.
//
// When reading, lines may end in "\n", "\r\n" or "\r". Empty lines and a byte order mark are skipped. Spaces (and in CSV
// tabs) around numbers, bools, times and unquoted names are ignored. A row may have one more cell than the first row if
// that cell is empty. In CSV the delimiter is the comma, or the tab, semicolon, vertical bar or spaces that divide the
// first rows evenly; when writing, cells with these characters are quoted. [TableOptions] has the choices: delimiter,
// decimal and thousands separators, encoding, comments, lines to skip, and the treatment of rows of other lengths.
//
// A cell that is empty, or one of [DefaultMissing] such as NA, null and None, is a missing value: NaN or NaT. It is an error
// if the given dtype has neither. In a column of text it stays as it is.
//
// Without a dtype, each column gets the first of these dtypes that fits all its cells: bool (only as words: 0 and 1 are
// numbers), int64, uint64, float64, complex128, datetime64 (in the unit of the most precise cell; a bare year is a
// number), str. Times with an offset from UTC become times in UTC; beside times without a zone they remain text. Dates such as
// 31.12.2024 and 12/31/2024 are times if a number over 12 in the column, or [TableOptions], says whether the day is first. Integers
// with missing cells are float64, bools with missing cells are text. Integers that no such dtype holds, that float64
// would round beside floats and missing cells, or that have a leading zero, remain text, and Report.Notes tells which.
// In CSV between semicolons, commas in numbers are decimal commas if they can be nothing else.
//
// The first line holds names if [HeaderAuto] says so. With a header the result is always records with the names of the
// header, so that no name is lost. An empty name becomes index in the first column, as pandas.DataFrame.to_csv leaves it,
// and f1, f2, … in the others. Of two columns named a, the second becomes a_1. A header that is one name shorter than the rows,
// as R writes it, lacks the name of the index. Names alone are records without rows. Without a header, columns of numbers, and
// columns of one dtype (str of any length), make an array of two dimensions, or of one dimension if there is one column; otherwise,
// and with TableOptions.Records, the result is records with fields f0, f1, …
//
// Given a plain dtype, every cell is read as that dtype. The dtypes "U" and "S" without a length get the length of the
// longest cell. So do fields of these dtypes: [('name', 'U'), ('t', '<M8[s]')]. Given records, columns are matched to
// the names in the header, in any order, or by position if there is no header. Integers and bools may have a zero
// fraction and an exponent, so that columns that became floats on the way read back: 1.5e+01 is 15, and 1.55e+01 is an
// error.
//
// # The text of numpy.savetxt
//
// TXT has a number for every element, written as %.18e and separated by spaces: byte for byte the output of
// numpy.savetxt without options. Reading follows numpy.loadtxt: any number of spaces separates cells, # begins a
// comment, there are no quotes, and there is no header unless HeaderYes is set. If all cells are numbers they have one
// dtype.
//
// # JSON
//
// An array is nested lists, a single element stands alone, and records are objects with lists for subarrays. NaN and the
// infinities are the strings "NaN", "Infinity" and "-Infinity", as in the JSON mapping of protocol buffers. Complex
// numbers, str, bytes, void and datetime64 are strings; NaT is "NaT". In NDJSON NaN and NaT are null, unless [WriteOptions] says
// otherwise. Numbers are written with all their digits, even
// beyond the precision of float64; other programs may round them. NDJSON has one line for each element along the first
// axis, so a single element is read with one dimension. Axes after an axis of length 0 are lost.
//
// Lists of equal lengths become dimensions. Objects become records, with keys in the order of the first object, nested
// objects become nested records, and lists in objects become subarrays. A key that some objects lack is a missing value
// there: NaN, NaT or the empty text; bools, lists and objects cannot be missing, and with a given dtype no key can.
// Without a dtype the values are bool, int64, uint64, float64, datetime64 (if all strings are times, as in tables) or str.
// null and the three strings above may stand among numbers and make them float64; null among times is NaT. NaN, Infinity
// and -Infinity may stand without quotes, as Python writes them. Any other mix of types is an error, and so are integers
// that float64 would round.
//
// # Python objects
//
// Arrays of dtype |O, and records with such fields, are written if package objects has read them. They are not read
// back. None is null or an empty cell. Numbers of any size, Decimals, bools, str and bytes are as above, and so are
// NumPy's scalars and arrays. A UUID, a Fraction, a class or a function is its text. Lists, tuples and sets are lists.
// A dict is an object if all its keys are str; otherwise it is a list of pairs, so that the keys 1 and "1" stay
// distinct. The times of Python are ISO 8601, with the time zones of libraries in brackets:
// 2020-01-02T03:04:05.6+01:00, -PT1H30M. An object of any other class is {"class": "module.Name"} with its "args",
// "kwargs", "items", "pairs" and "state", if any. A masked array is its "data", "mask" and "fill_value". In a table,
// containers are cells of JSON.
//
// An object that contains itself is {"cycle": n} at the inner place, where n is the number of containers outwards. A
// shared object is written in each place, as far as WriteOptions.MaxShared allows.
//
// # Images
//
// PNG holds arrays of bool (1 bit), uint8 and uint16 of shape (height, width), or (height, width, channels) with 2 to 4
// channels: grey and alpha, RGB, RGBA. When reading, palettes become RGB and a transparent colour becomes alpha. Samples
// are unchanged: not multiplied by alpha, not corrected for any display.
//
// # Untrusted input
//
// No input makes this package panic. Memory stays within a multiple of the length of the text, of the given dtype, or
// of the actual pixels of an image, which are at most 1032 for each compressed byte. Limit errors wrap [npy.ErrLimit].
// Errors in a text are of type [*Error] and give the position.
package convert

// Reading the source. The files here are the API: settings with their documentation, the list of formats, and the functions that
// read and write files. A Converter (converter.go) is a reader, a writer and a list of losses (losses.go). Standard (standard.go)
// lists the formats, each with the functions of a package below internal. The doc.go of each package says how it is read.
//
// Writing: output gives the elements of a Source block by block and collects their text. values has the text of elements, and of
// whole arrays as JSON; tablewrite and image write the other formats.
//
// Reading: input reads a text in blocks of rows, infer and plain find its dtype, and arrays makes an array or an .npy file of the
// elements. tableread, jsonread and image are between the two.
//
// fault and options are at the bottom: the error, and the settings, which the types of this package become.
