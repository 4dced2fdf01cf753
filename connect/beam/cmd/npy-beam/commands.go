package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/npygo/npy"
	npyio "github.com/npygo/npy/connect/beam"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/remote"
)

// A command is a subcommand.
type command struct {
	name, args, short string
	build             builder
}

// A builder adds the transforms of a command.
type builder func(ctx context.Context, s beam.Scope, args []string) (plan, error)

// A plan is what the transforms of a command do.
type plan struct {
	bytes  int64  // that they deal with, as npyio.Watch counts them, or 0 if that is not known
	result result // of stats
	wrote  string // the path of the file or of the manifest that they write, as the user names it
}

var commands = []command{
	{"stats", "IN...", "summarise the values: count, min, max, mean, std, NaN", buildStats},
	{"reshard", "IN... OUT", "write other files: --shards of equal length, or one if OUT ends in .npy", buildWrite},
	{"convert", "IN... OUT", "write another dtype: --dtype, --casting", needs("dtype", buildWrite)},
	{"filter", "CONDITION IN... OUT", "write the rows that satisfy a condition", buildFilter},
	{"rechunk", "IN... OUT", "write files that follow each other along another --axis", needs("axis", buildWrite)},
	{"transpose", "IN... OUT", "write the axes in another order: --axes 1,0", needs("axes", buildWrite)},
	{"shuffle", "IN... OUT", "write the rows in a random order: --seed", buildShuffle},
}

// ownFlags are the flags of this program. They use the words of npy.
var ownFlags = []string{"axes", "axis", "casting", "dtype", "histogram", "json", "memory", "out", "quantiles", "seed", "shards", "verbose", "where"}

var (
	axesFlag    = flag.String("axes", "", "order of the axes of OUT, such as 1,0")
	axisFlag    = flag.Int("axis", 0, "axis of OUT along which the files follow each other, or of which stats prints one result for each element of the others; -1 is the last")
	castingFlag = flag.String("casting", "safe", "conversions that are allowed: no, equiv, safe, same_kind, unsafe")
	dtypeFlag   = flag.String("dtype", "", "dtype of OUT, such as <f4")
	jsonFlag    = flag.Bool("json", false, "print one JSON object per array, or per field of records")
	outFlag     = flag.String("out", "", "file or URL for the result of stats, a URL if the workers have other files (standard output)")
	seedFlag    = flag.Uint64("seed", 0, "choice of the random order")
	shardsFlag  = flag.Int("shards", 0, "number of files of OUT (one for each 256 MiB)")
	whereFlag   = flag.String("where", "", "only rows that satisfy this condition")
)

var quantilesFlag = flag.String("quantiles", "", "stats: print quantiles, for numbers from 0 to 1: 0.05,0.5,0.95")

// memoryFlag is a number of bytes, or 0.
var memoryFlag sizeValue

// binsFlag is the number of bins of a histogram, or 0.
var binsFlag binsValue

func init() {
	flag.Var(&memoryFlag, "memory", "memory for elements in each worker process, such as 512M or 2G (64 MiB for each CPU)")
	flag.Var(&binsFlag, "histogram", "stats: print a histogram with this many bins, as --histogram=20 (10 if no number is given)")
}

// A sizeValue is a flag for a number of bytes, with K, M, G or T for powers of 1024, as npy takes it.
type sizeValue int64

func (v *sizeValue) String() string { return strconv.FormatInt(int64(*v), 10) }

// Set reads a number and its unit.
func (v *sizeValue) Set(text string) error {
	number, shift := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(text), "B"), "I"), 0
	for i, unit := range []string{"K", "M", "G", "T"} {
		if before, ok := strings.CutSuffix(number, unit); ok {
			number, shift = before, 10*(i+1)
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n <= 0 || n<<shift>>shift != n {
		return errors.New("want a number of bytes such as 512M or 2G")
	}
	*v = sizeValue(n << shift)
	return nil
}

// A binsValue is a flag with or without a number.
type binsValue int

// usualBins is the number of bins of --histogram without a number.
const usualBins = 10

// IsBoolFlag makes the number optional.
func (*binsValue) IsBoolFlag() bool { return true }

func (b *binsValue) String() string { return strconv.Itoa(int(*b)) }

// Set reads the number.
func (b *binsValue) Set(text string) error {
	if text == "true" { // no number
		*b = usualBins
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1000 {
		return fmt.Errorf("want 1 to 1000 bins")
	}
	*b = binsValue(n)
	return nil
}

// A usageError is a wrong use of the command.
type usageError string

func (e usageError) Error() string { return string(e) }

// needs returns build for a command that makes no sense without a flag.
func needs(name string, build builder) builder {
	return func(ctx context.Context, s beam.Scope, args []string) (plan, error) {
		if !given(name) {
			return plan{}, usageError("give --" + name)
		}
		return build(ctx, s, args)
	}
}

// given reports whether the user gave a flag.
func given(name string) (yes bool) {
	flag.Visit(func(f *flag.Flag) { yes = yes || f.Name == name })
	return yes
}

func buildStats(ctx context.Context, s beam.Scope, args []string) (to plan, err error) {
	qs, err := parseQuantiles(*quantilesFlag)
	if err != nil {
		return to, err
	}
	if given("axis") && (qs != nil || binsFlag > 0) {
		return to, usageError("--quantiles and --histogram are for the whole array; leave them or --axis out")
	}
	data, err := open(ctx, args)
	if err != nil {
		return to, err
	}
	if to.result, err = newResult(*outFlag, workersAreHere()); err != nil {
		return to, err
	}
	to.bytes, err = addStats(s, data, qs, output{JSON: *jsonFlag, Out: to.result.path, Name: strings.Join(args, " "), DType: data.DType, Shape: data.Shape, Where: data.Where != ""})
	if err != nil {
		to.result.remove()
	}
	return to, err
}

// addStats adds the transforms of stats, and returns the bytes that they deal with.
func addStats(s beam.Scope, data npyio.Dataset, qs []float64, to output) (work int64, err error) {
	work = data.NBytes()
	if data.As != "" {
		to.DType = data.As
	}
	if given("axis") {
		along, err := npyio.StatsAxis(s, data, *axisFlag)
		if err == nil {
			beam.ParDo0(s, &axisPrinter{to, *axisFlag}, along)
		}
		return work, err
	}
	quantiles, counts := beam.Create(s, npyio.QuantileState{}), beam.Create(s, npyio.Counts{})
	if qs != nil {
		quantiles, err = npyio.Quantiles(s, data, qs...)
		work = 0 // the number of passes depends on the elements
	}
	if err == nil && binsFlag > 0 {
		counts, err = npyio.Histogram(s, data, npyio.Bins{N: int(binsFlag)})
		work *= 3 // the statistics, the range and the counts
	}
	if err == nil {
		beam.ParDo0(s, &printer{to, qs}, npyio.Stats(s, data), beam.SideInput{Input: quantiles}, beam.SideInput{Input: counts})
	}
	return work, err
}

// parseQuantiles returns the numbers of a list such as 0.5,0.9. The list may be empty.
func parseQuantiles(list string) (qs []float64, err error) {
	if list == "" {
		return nil, nil
	}
	for text := range strings.SplitSeq(list, ",") {
		q, err := strconv.ParseFloat(text, 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return nil, usageError(fmt.Sprintf("--quantiles %s: want numbers from 0 to 1, such as 0.05,0.5,0.95", list))
		}
		qs = append(qs, q)
	}
	return qs, nil
}

func buildWrite(ctx context.Context, s beam.Scope, args []string) (plan, error) {
	return write(ctx, s, args, npyio.Options{})
}

func buildShuffle(ctx context.Context, s beam.Scope, args []string) (plan, error) {
	return write(ctx, s, args, npyio.Options{Shuffle: true, Seed: *seedFlag})
}

func buildFilter(ctx context.Context, s beam.Scope, args []string) (plan, error) {
	if len(args) < 3 {
		return plan{}, usageError("filter wants a condition, IN and OUT")
	}
	if *whereFlag != "" {
		return plan{}, usageError("filter has two conditions; combine them with 'and'")
	}
	*whereFlag = args[0]
	return write(ctx, s, args[1:], npyio.Options{})
}

// write adds the transform that writes OUT, the last argument.
func write(ctx context.Context, s beam.Scope, args []string, o npyio.Options) (plan, error) {
	if len(args) < 2 {
		return plan{}, usageError("name IN and OUT")
	}
	in, out := args[:len(args)-1], args[len(args)-1]
	data, err := open(ctx, in)
	if err != nil {
		return plan{}, err
	}
	o.Axis, o.Shards, o.Memory = *axisFlag, *shardsFlag, int64(memoryFlag)
	if o.Axes, err = parseAxes(*axesFlag); err != nil {
		return plan{}, err
	}
	to := plan{bytes: data.NBytes(), wrote: out}
	if strings.HasSuffix(out, ".npy") {
		if o.Axes != nil || o.Axis != 0 || o.Shards > 1 || o.Shuffle {
			return plan{}, usageError("OUT is one file, which has the rows as they are; name a folder")
		}
		if data.Where != "" {
			return plan{}, usageError("OUT is one file, whose number of rows must be known first; name a folder, and then reshard it into one file")
		}
		_, err = npyio.WriteFile(s, data, out)
	} else {
		to.wrote = manifestIn(out)
		_, err = npyio.Write(s, data, out, o)
	}
	return to, err
}

// manifestIn returns the path of the manifest in OUT.
func manifestIn(out string) string {
	if remote.IsURL(out) {
		return strings.TrimRight(out, "/") + "/" + npyio.ManifestName
	}
	return filepath.Join(out, npyio.ManifestName)
}

// parseAxes returns the numbers of a list such as 1,0. The list may be empty.
func parseAxes(list string) (axes []int, err error) {
	if list == "" {
		return nil, nil
	}
	for text := range strings.SplitSeq(list, ",") {
		axis, err := strconv.Atoi(text)
		if err != nil {
			return nil, usageError(fmt.Sprintf("--axes %s: want numbers, such as 1,0", list))
		}
		axes = append(axes, axis)
	}
	return axes, nil
}

// open returns the arrays that the arguments name, filtered and cast as the flags say.
func open(ctx context.Context, in []string) (npyio.Dataset, error) {
	if len(in) == 0 {
		return npyio.Dataset{}, usageError("name IN")
	}
	data, err := npyio.Open(ctx, in...)
	if err == nil && *whereFlag != "" {
		data, err = data.Filter(*whereFlag)
	}
	if err != nil || *dtypeFlag == "" {
		return data, err
	}
	t, err := dtype.Parse(*dtypeFlag)
	if err != nil {
		return data, usageError("--dtype: " + err.Error())
	}
	casting, err := npy.ParseCasting(*castingFlag)
	if err != nil {
		return data, usageError("--casting: " + err.Error())
	}
	return data.Cast(t, casting)
}
