package main

import "github.com/spf13/cobra"

var tailSubcommand = subcommand{
	use:    "tail FILE...",
	short:  "Print the last rows",
	group:  lookGroup,
	reads:  arrays | text | pickles,
	from:   anywhere,
	json:   []jsonObject{{"", shownJSON{}}},
	counts: true,
	make:   tailCommand,
}

func tailCommand(a *app) *cobra.Command {
	var x showing
	return endCommand(a, &x, &x.tail, &cobra.Command{
		Long: `Tail prints the last rows of an array, as 'npy show --tail' does, and reads
no others. A row is one index of the first axis, a record for example. A
negative number prints all rows but the first ones.`,
		Example: "  npy tail log.npy\n  npy tail -n 3 model.npz:weights",
	})
}
