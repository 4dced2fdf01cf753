package main

import (
	"slices"
	"strings"
	"sync"

	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/convert"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A subcommand declares a subcommand of npy to the help, the completions, the flags for URLs, the documentation and the
// tests. It is a variable in the file of the subcommand, and has a line in [subcommands]. Its test runs are in testdata/trials.
type subcommand struct {
	use   string // its name and its arguments
	short string // its line in the list of help
	group string // its list in help; "" hides the subcommand

	reads    kinds     // the kinds of files that it reads
	from, to location  // where the files are that it reads, and that it writes
	inPlace  bool      // it changes files, or does with a flag; others leave the files that they read as they are
	existing replacing // what it does with an OUT that exists
	counts   bool      // -5 stands for -n 5

	minus    bool         // arguments may begin with - and a digit, and are then no flags
	others   bool         // it needs the other subcommands
	complete completeFunc // completes arguments; completeTarget if nil
	json     []jsonObject // the output of --json

	make func(*app) *cobra.Command // its flags and its work
}

// A completeFunc completes a word after some arguments.
type completeFunc func(a *app, c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective)

// Kinds are kinds of files.
type kinds int

const (
	npyFiles   kinds = 1 << iota
	archives         // .npz
	containers       // other files with several arrays
	rawFiles         // elements without a header
	text             // and pictures: the formats of package convert
	pickles
	anyFiles

	arrays = npyFiles | archives | containers
)

// A location says where files are that a subcommand reads or writes.
type location int

const (
	nowhere  location = iota // there are none
	here                     // on this machine
	anywhere                 // on this machine and at URLs
)

// The groups of subcommands in help.
const (
	lookGroup      = "Look at files"
	writeGroup     = "Write files"
	rowsGroup      = "Choose and order rows"
	containerGroup = "Files of several arrays"
	serverGroup    = "Servers and object stores"
	helpGroup      = "Help"
)

// groups lists the groups in the order of help.
var groups = []string{lookGroup, writeGroup, rowsGroup, containerGroup, serverGroup, helpGroup}

// subcommands lists all subcommands in the order of help. It is set by init because some of them print it.
var subcommands []*subcommand

func init() {
	subcommands = []*subcommand{
		&infoSubcommand, &showSubcommand, &headSubcommand, &tailSubcommand, &viewSubcommand, &plotSubcommand, &statsSubcommand, &diffSubcommand,
		&verifySubcommand, &pickleSubcommand, &structSubcommand,
		&convertSubcommand, &castSubcommand, &reshapeSubcommand, &transposeSubcommand, &fieldsSubcommand, &calcSubcommand, &splitSubcommand, &appendSubcommand,
		&concatSubcommand, &manifestSubcommand, &refsSubcommand, &repairSubcommand, &createSubcommand,
		&filterSubcommand, &sortSubcommand, &sampleSubcommand, &uniqueSubcommand, &groupSubcommand, &joinSubcommand,
		&lsSubcommand, &packSubcommand, &unpackSubcommand, &rezipSubcommand, &rmSubcommand, &mvSubcommand,
		&cpSubcommand, &uploadsSubcommand,
		&helpSubcommand, &completionSubcommand, &manSubcommand,
	}
}

// findSubcommand returns the subcommand of a name, or nil.
func findSubcommand(name string) *subcommand {
	i := slices.IndexFunc(subcommands, func(s *subcommand) bool { return s.name() == name })
	if i < 0 {
		return nil
	}
	return subcommands[i]
}

func (s *subcommand) name() string {
	name, _, _ := strings.Cut(s.use, " ")
	return name
}

// command makes the subcommand with the flags and the checks that follow from its declaration.
func (s *subcommand) command(a *app) *cobra.Command {
	c := s.make(a)
	c.Use, c.Short, c.Hidden = s.use, s.short, s.group == ""
	if c.ValidArgs == nil {
		c.ValidArgsFunction = func(c *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if s.complete != nil {
				return s.complete(a, c, args, word)
			}
			return a.completeTarget(c, args, word)
		}
	}
	if s.reads&text != 0 {
		a.addTable(c)
	}
	s.addOut(a, c)
	a.addPatterns(c)
	if s.from == here {
		s.refuseURLs(c)
	}
	if s.from == anywhere || s.to == anywhere {
		a.addURLs(c)
	}
	unmark(c)
	if s.from != nowhere || s.to == anywhere {
		a.addLimit(c)
		a.addLinks(c)
		a.addQuiet(c)
	}
	once(c.Flags())
	return c
}

// flagged has the names of the subcommands that have a flag, by its name.
var flagged = sync.OnceValue(func() map[string][]string {
	names := map[string][]string{}
	for _, s := range subcommands {
		s.command(newApp(nil, nil, nil)).Flags().VisitAll(func(f *pflag.Flag) { names[f.Name] = append(names[f.Name], s.name()) })
	}
	return names
})

// withFlag lists the subcommands that have a flag: a, b and c.
func withFlag(flag string) string {
	return inWords(flagged()[flag])
}

// endings returns the endings of files without their dots; none if files have any ending.
func (k kinds) endings() []string {
	var all []string
	add := func(kind kinds, endings ...string) {
		if k&kind != 0 {
			all = append(all, trimDots(endings)...)
		}
	}
	add(npyFiles, ".npy")
	add(archives, ".npz")
	add(containers, slices.DeleteFunc(input.FormatEndings(false), func(ending string) bool { return ending == ".npz" })...)
	add(rawFiles, ".raw", ".bin")
	add(text, convert.Endings()...)
	add(pickles, ".pkl", ".pickle", ".pt", ".pth")
	return all
}

// alsoCalled lets a flag have the name that it once had, which means something else in other subcommands.
func alsoCalled(f *pflag.FlagSet, name, old string) {
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, given string) pflag.NormalizedName {
		if given == old {
			given = name
		}
		return pflag.NormalizedName(given)
	})
}
