package main

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/npz"
)

// A topic is a page of help that is not about a subcommand.
type topic struct {
	name, short string
	text        func() string
}

var topics = []topic{
	{"slices", "How to name a part of an array", func() string { return slicesTopic }},
	{"urls", "How to read and write files of servers and object stores", func() string { return urlsTopic }},
	{"out", "Which files are replaced", outTopic},
	{"where", "How to choose rows by a condition", whereTopic},
	{"set", "How to compute columns", setTopic},
	{"dtypes", "How to name a dtype", func() string { return dtypesTopic }},
	{"formats", "What files can be read and written", formatsTopic},
	{"text", "How tables of text are read", textTopic},
	{"json", "What --json prints", jsonTopic},
	{"limits", "How much memory and time files may take", limits.Topic},
	{"exit-codes", "What scripts can rely on", func() string { return exitTopic }},
}

const slicesTopic = `A part of an array is named as in NumPy, after the name of the file or with --slice. Quote it, because brackets and spaces
have a meaning in shells.

  npy show 'a.npy[0]'              the first row
  npy show 'a.npy[-1]'             the last
  npy show 'a.npy[10:20]'          rows 10 to 19
  npy show 'a.npy[::2, 1]'         column 1 of every other row
  npy show 'a.npy[..., ::-1]'      the last axis backwards
  npy show -s '0, :3' a.npy        the same as 'a.npy[0, :3]'
  npy show 'r.npy[lat][:5]'        a field of the first five records
  npy show 'r.npy[[lat, lon]]'     fields; "my field" needs quotes
  npy show 'a.npy[[3, 1, 2]]'      these rows, in this order
  npy show 'm.npz["layer1/w"][0]'   a part of a member of an archive
  npy show "m.npz:layer1/w[0]"     a member of an archive, its first row
  npy info 'm.npz:layer1/*'        all members that match
  npy show data.h5:run1/x[0]       an array of an HDF5 file
  npy info data.h5:run1            all arrays of a group; of an archive, too

Negative numbers count from the end. Axes that are left out are whole, and ... stands for all axes that are not named.
New axes and masks are not supported; --where chooses rows by a condition,
see 'npy help where'.

Of plain elements in .npy files, of members that are stored or were compressed by npy, and of arrays in HDF5 and netCDF files,
only the part is read. All other arrays are read as a whole. The checksum of a member is verified only if all of it is read; 'npy verify' does that.
`

// outTopic lists the subcommands by what they do with an OUT that exists.
func outTopic() string {
	var kept, replaced []string
	for _, s := range subcommands {
		switch s.existing {
		case keepOut:
			kept = append(kept, s.name())
		case replaceOut:
			replaced = append(replaced, s.name())
		}
	}
	return `OUT is written under another name and renamed when it is complete. Until then, and after an error, an existing file is as it was.

Where OUT stands beside any number of files or may be left out, one name too many, or a pattern, could make a file of yours OUT. So
an existing file is replaced only with --force by ` + inWords(kept) + `.

Where one IN and one OUT are required, OUT is replaced, as cp does it; --no-clobber makes an existing file an error: ` + inWords(replaced) + `.

` + "-o OUT" + ` gives OUT as a flag, wherever it is an argument. OUT may not be a file that is read, also not under another name; only sort,
rezip and the subcommands that change files where they are take IN for OUT. plot and diff replace the picture of -o.

/dev/stdout and /dev/fd/3 are the files that the shell has opened: with >> their contents stay. Changes of one archive by pack --append,
rm, mv and rezip at the same time wait for each other.
`
}

// inWords lists names: a, b and c.
func inWords(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func whereTopic() string {
	return "A condition chooses rows, which are indices of the first axis, for 'npy filter' and --where of " + withFlag("where") + `.
Quote it: shells read < > & and spaces.

  npy filter 'mag > 5 and lat < 0' quakes.npy strong.npy
  npy show --where '4 <= mag < 5' quakes.npy
  npy stats --where "time >= '2024-03-01'" quakes.npy
  npy show --where "name in ('Ann', 'Bob') or not ok" r.npy
  npy show --where "name.startswith('A')" r.npy
  npy show --where 'pos.x ** 2 + pos.y ** 2 < 1' r.npy
  npy filter 'not isnan(x)' a.npy clean.npy
  npy show --where 'x[:, 3] > 0 and row < 100' matrix.npy
  npy show --where 'any(x > 5)' matrix.npy
  npy show --where "duration > '1.5 h'" trips.npy

Names    the fields of records; fields of fields as pos.x; other names as
         x['my field'] or between backquotes; x is the row of a plain array,
         x[3] or x[:, 3] its element 3; row is the number of the row, from 0
Values   5  0x1F  1.5e-3  2j  True  False  nan  inf  pi  e  'text'  b'bytes'
Compare  ==  !=  <  <=  >  >=  in (1, 2)  not in (1, 2)  'part' in name
Combine  and  or  not, or & | ~ around comparisons in parentheses: as in
         Python, & binds before comparisons
Compute  +  -  *  /  //  %  **, with the dtypes of NumPy 2
Numbers  abs min max clip sign round floor ceil trunc sqrt exp log log2 log10
         sin cos tan real imag isnan isinf isfinite; more in 'npy help set'
Text     len lower upper strip startswith endswith contains
Times    isnat year month day hour minute second weekday (Monday is 0);
         t1 - t2, t + '1 D', d * 2, d / '1 h', d1 // d2 and d1 % d2, in the
         common unit that NumPy finds
Rows     any(...) and all(...) where a row has several values

Times are compared with text such as '2024-03-01T12:00', durations with a
number and a unit: '5 min', '1h30m', '30 D', or with a number of ticks. A date
that does not exist is an error. NaN and NaT are only not equal; the year, the
minute and so on of NaT are NaN, and d1 // d2 with a NaT is 0, as in NumPy.
Integers and floats are compared exactly. A number becomes the dtype of the
floats that it is compared with, as in NumPy 2: float32 values equal 0.1.

An index is applied first: 'a.npy[:100]' --where 'x > 0' looks at 100 rows.
For an archive, the condition applies to each of its arrays.
`
}

func setTopic() string {
	return `--set 'NAME = EXPRESSION' computes a column of records before anything else is
done with them: with 'npy fields' for a file, and with ` + withFlag("set") + `.

  npy fields --set 'speed = sqrt(vx**2 + vy**2)' --drop vx,vy wind.npy speed.npy
  npy stats --set 'energy = 10 ** (1.5 * mag)' quakes.npy
  npy show --set 'month = month(time)' --where 'month == 6' quakes.npy
  npy group --by 'year(time)' --agg 'max:10 ** mag' quakes.npy
  npy sort --set 'r = hypot(lat, lon)' --by r -n 5 quakes.npy
  npy convert --set 'x = clip(x, 0, 1)' a.npy clipped.npy
  npy fields --set 'total = cumsum(rain)' days.npy totals.npy

An expression has the names, operators and functions of a condition: see
'npy help where'. --set may be given several times; an expression may name the
columns before it, and so may --where. A column with the name of a field
replaces it. Dtypes follow NumPy 2. More functions, also for conditions:

  where(x < 0, 0, x)   isin(x, (1, 2, 3))   hypot(x, y)   arctan2(y, x)
  cbrt exp2 expm1 log1p sinh cosh tanh arcsin arccos arctan arcsinh arccosh
  arctanh degrees radians; bool, int8 to uint64, float16 to float64 convert

Functions of several rows, for arrays of one dimension:

  cumsum(x)          the running sum
  diff(x)            the difference from the row above; diff(x, 0) with 0 in
                     the first row, which otherwise is NaN or NaT
  shift(x, n, fill)  the value n rows above (1), or below if n is negative;
                     rows without one have fill, else NaN, NaT or ''
  rank(x)            the place among all values, from 1 on; equal values share
                     the mean of their places

Integers become float64 where NaN is needed. They are not for --where: compute
a column, and name it there. rank sorts in memory; everything else is computed
in blocks, in files of any size.

A plain array becomes records of x, its element or row, and the columns. If x
is all that is set, the result is a plain array of the new elements.
An index is applied before: 'a.npy[:100]'.
`
}

func textTopic() string {
	return `A table (.csv, .tsv, .txt) becomes a 2-D array if all its columns have one dtype
and there is no line of names, else records. A message tells what was found.

  delimiter   of ',' ';' '|', tab and spaces the one that divides the first
              rows evenly; --delimiter ';'
  names       the first line, if no cell is a number and a column below is, or
              all are text and none recurs; --header, --no-header. An empty
              first name, as pandas writes, becomes index; a, a becomes a, a_1
  dtypes      for each column the first that fits all cells: bool (true, false;
              --bools yes/no,t/f), int64, uint64, float64, complex128,
              datetime64, text. Without names, columns that are all numbers make
              a 2-D array of one dtype; --records gives fields
              --dtype f4 for all, --dtype id=i8,name=U10 for some
  missing     an empty cell, NA N/A null NULL None nan - and so on are NaN among
              numbers, NaT among times, and stay as they are among words; --na
              -999,? adds words, --na =-999 has only these
  times       2024-01-02, 2024-01-02 03:04:05.678, in the unit of the most
              precise; with Z or +01:00 they become UTC, or stay text with
              --keep-zones. 31.12.2024 and 12/31/2024 if a number over 12 in the
              column shows which is the day, or with --dates dmy or mdy
  integers    with missing cells are float64. What float64 would round stays
              text, and a note tells so; --dtype id=f8 rounds. 007 stays text;
              --dtype id=i8

  --skip 3 --comment '#'             lines before the table, and comments
  --decimal , --thousands .          1.234,5
  --encoding latin-1                 or windows-1252, utf-16
  --ragged fill, --ragged skip       rows that are too short; of other lengths

  npy convert --decimal , umsatz.csv a.npy
  npy convert --skip 2 --na -999 --dtype 'station=U8' log.csv a.npy

` + withFlag("thousands") + ` take these flags. In .csv a quoted cell may have delimiters and lines.

A spreadsheet runs cells of text that begin with = + - @, a tab or a line break. ` + withFlag("escape-formulas") + ` write text as it is, or with
--escape-formulas a ' before such cells, which stays when they are read.
`
}

const dtypesTopic = `A dtype is written as for numpy.dtype, or as in the header of a file.

  bool int8 int16 int32 int64   numbers, in the byte order of this machine
  uint8 uint16 uint32 uint64
  float16 float32 float64
  complex64 complex128
  longdouble                    that of x86: 80 bits in 16 bytes
  '<f4' '>i2'                   little- and big-endian; a letter and a size
  U10 S10                       str of 10 characters, bytes of length 10
  'M8[ns]' 'datetime64[D]'      times, in units and multiples of them
  'm8[25s]'
  'f4, (2,3)i2'                 records of fields f0 and f1, a subarray
  "[('t', '<M8[s]'), ('x', '<f4')]"   records with names
  bfloat16 float8_e4m3fn int4   of ml_dtypes
  O                             Python objects, which are read as data

'npy info' prints the dtype of a file. 'npy convert --dtype' and 'npy cast' change it.

NumPy writes the types of ml_dtypes as void, <V2 or <V1, so a file does not say which type it has. --as does, for all
arrays that are read: npy show --as bfloat16 weights.npy, npy cast --as int4 int8 a.npy b.npy.
`

// formatsTopic lists the formats that package convert knows.
func formatsTopic() string {
	var b strings.Builder
	b.WriteString(`The ending of a name tells the format. For names without one, 'npy convert' has --from and --to.

  .npy            one array, of any version of NumPy, or of another writer
  .npz            archives of arrays: np.savez, np.savez_compressed, any ZIP,
                  and the sparse matrices of SciPy
`)
	for _, f := range input.Formats(nil, npy.Decoder{}, npz.Encoder{}) {
		if f.Name == "npz" {
			continue
		}
		what := f.Name + " files: arrays, groups and attributes"
		if f.New == nil {
			what += "; only read"
		}
		endings := strings.Join(f.Endings, " ")
		if len(endings) > 15 {
			endings += "\n" + strings.Repeat(" ", 18)
		}
		fmt.Fprintf(&b, "  %-16s%s\n", endings, what)
	}
	b.WriteString(`  .raw .bin       elements without a header: --dtype, --shape and --offset
                  describe them
  .pkl .pt        Python pickles, only read, as data
  .npy.gz .csv.zst .json.xz .txt.bz2
                  any of them, compressed as a whole; .bz2 is only read
`)
	for _, c := range convert.Standard() {
		kept := c.Kept
		if c.Read == nil {
			kept = "only written; " + kept
		}
		kept = strings.ReplaceAll(wrap(kept, 62), "\n", "\n"+strings.Repeat(" ", 18))
		fmt.Fprintf(&b, "  %-16s%s\n", strings.Join(c.Endings, " "), kept)
	}
	b.WriteString(`
Text has no dtype: it is inferred, or given by --dtype.

Files of several arrays are also recognised by their content. An array of one
is FILE:PATH, a group stands for what it holds, and FILE for all of its arrays:
data.h5:/group/data[0:10], data.h5:group, 'data.h5:*/mean'. 'npy convert' copies
attributes and names of dimensions where the other format has them, and tells
what it does not keep. Arrays that cannot be read, or that the other format
cannot hold, are named and left out; the exit code is then 1.
`)
	return b.String()
}

const exitTopic = `The exit codes are:

  0     Success.
  1     An input failed: the file is damaged, does not exist, or was refused.
        The other inputs were processed. For 'npy pickle': something would be
        imported or run, or is unknown. For 'npy diff': the arrays differ.
  2     Wrong use, such as an unknown flag or a missing name. Nothing was done.
        For 'npy diff' also: an input failed.
  130   Interrupted by Ctrl-C. Unfinished files were removed. For other signals
        the code is 128 plus the number of the signal.

Results go to standard output. Messages go to standard error, one line each:

  npy: FILE: what is wrong, where, and the way out

Colours and progress are for terminals only. 'npy help json' is about --json.

Text for people has escapes such as \x1b and \u202e in place of characters that
control a terminal or are invisible. Text for programs (.csv, .txt, .json and so on
from 'npy convert', also on standard output) has the characters themselves, except
on a terminal. Formats that are not text do not go to a terminal.
`

// A jsonObject is an object that --json prints.
type jsonObject struct {
	within string // the key of the objects that it is in, or ""
	object any    // a struct with the keys, or a text about them
}

// jsonTopic lists the keys of all objects.
func jsonTopic() string {
	var b strings.Builder
	b.WriteString(`With --json each array, member or file is one object on one line. Sizes and offsets are in bytes; offsets count from the
start of the file, or of the member if there is one. Values that do not apply are null. Keys are not renamed or removed;
later versions may have more. The text is UTF-8: control and format characters in strings are written as \u escapes, and
bytes that are not UTF-8 as U+FFFD. Times are ISO 8601, durations have their unit, as in 90 seconds, and NaN, infinities
and NaT are text.

`)
	first := map[string]string{} // the subcommand that prints each first
	for _, s := range subcommands {
		for _, o := range s.json {
			name := s.name()
			if o.within != "" {
				name = "  " + o.within
			}
			keys, ok := o.object.(string)
			if !ok {
				keys = strings.Join(jsonKeys(reflect.TypeOf(o.object)), " ")
			}
			if first[keys] == "" {
				first[keys] = s.name()
			} else {
				keys = "as " + first[keys]
			}
			fmt.Fprintf(&b, "  %-12s%s\n", name, strings.ReplaceAll(wrap(keys, 64), "\n", "\n"+strings.Repeat(" ", 14)))
		}
	}
	return b.String()
}

// jsonKeys returns the keys of a struct. The keys of an embedded struct take its place.
func jsonKeys(t reflect.Type) []string {
	var keys []string
	for _, f := range reflect.VisibleFields(t) {
		if key := f.Tag.Get("json"); key != "" {
			keys = append(keys, strings.TrimSuffix(key, ",omitempty"))
		}
	}
	return keys
}
