package main

import (
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/npz"
	"github.com/spf13/cobra"
)

var rmSubcommand = subcommand{
	use:      "rm FILE.npz MEMBER...",
	short:    "Remove members from an archive",
	group:    containerGroup,
	reads:    archives,
	from:     here,
	to:       here,
	inPlace:  true,
	complete: (*app).completeMember,
	make:     rmCommand,
}

func rmCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Long: `Rm removes members from an archive. The other members are copied as they are, and the new archive replaces FILE when it is
complete.`,
		Example: "  npy rm model.npz optimizer/m optimizer/v\n  npy rm model.npz 'optimizer/*'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("rm wants an archive and the names of members")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return a.edit(args[0], func(ed *npz.Editor) error {
				for _, name := range input.ExpandMembers(args[1:], ed.Names()) {
					if !ed.Has(name) {
						return input.UnknownMember(name, ed.Names())
					}
					if err := ed.Delete(name); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

// edit changes an archive.
func (a *app) edit(path string, change func(*npz.Editor) error) error {
	return a.told(diagnose.Of(path, a.opener(npy.Decoder{}).InPlace(path, npz.Edit(path, change))))
}
