package main

import (
	"fmt"

	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/npz"
	"github.com/spf13/cobra"
)

var mvSubcommand = subcommand{
	use:      "mv FILE.npz MEMBER NAME",
	short:    "Rename a member of an archive",
	group:    containerGroup,
	reads:    archives,
	from:     here,
	to:       here,
	inPlace:  true,
	complete: (*app).completeMember,
	make:     mvCommand,
}

func mvCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Long: `Mv renames a member of an archive. All members are copied as they are, and the new archive replaces FILE when it is
complete.`,
		Example: "  npy mv model.npz arr_0 weights",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 3 {
				return fmt.Errorf("mv wants an archive, the name of a member, and its new name")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return a.edit(args[0], func(ed *npz.Editor) error {
				if !ed.Has(args[1]) {
					return input.UnknownMember(args[1], ed.Names())
				}
				return ed.Rename(args[1], args[2])
			})
		},
	}
}
