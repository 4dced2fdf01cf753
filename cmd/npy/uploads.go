package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/remote"
	"github.com/spf13/cobra"
)

var uploadsSubcommand = subcommand{
	use:      "uploads URL...",
	short:    "List or abort the unfinished uploads of a store",
	group:    serverGroup,
	from:     anywhere,
	complete: completeNothing,
	make:     uploadsCommand,
}

func uploadsCommand(a *app) *cobra.Command {
	var abort bool
	var older time.Duration
	c := &cobra.Command{
		Long: `Uploads lists the uploads that were begun and neither completed nor aborted, because a process was killed or still writes: the time when
each was begun, its id, and the URL of the file. A store keeps their parts, and takes money for them. URL is a bucket, or what
the URLs of the files begin with: s3://bucket/, gs://bucket/folder/ or az://container/folder/. Azure removes unfinished uploads after
a week, and each file there is asked for, which takes a request; the time and the id are - if they are not known.

--abort gives them up and removes their parts, also if a process still writes them; --older leaves out the newest, and those
whose time is not known.`,
		Example: `  npy uploads s3://bucket/
  npy uploads --abort --older 24h s3://bucket/shards/`,
		Args: someFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			for _, arg := range args {
				if !remote.IsURL(arg) {
					return fmt.Errorf("%s: uploads wants URLs: s3://bucket/", arg)
				}
				if err := a.told(a.uploads(arg, older, abort)); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&abort, "abort", false, "give up the uploads, and remove their parts")
	c.Flags().DurationVar(&older, "older", 0, "only uploads that were begun this `time` ago or before: 24h")
	return c
}

// uploads lists the unfinished uploads of the files whose URLs begin with a prefix.
func (a *app) uploads(prefix string, older time.Duration, abort bool) error {
	for u, err := range a.urls.Uploads(prefix) {
		if err != nil {
			return diagnose.Of(prefix, err)
		}
		begun := "-"
		if !u.Begun.IsZero() {
			begun = u.Begun.UTC().Format(time.RFC3339)
		}
		if older > 0 && (u.Begun.IsZero() || time.Since(u.Begun) < older) {
			continue
		}
		if abort {
			if err := u.Abort(a.ctx); err != nil {
				a.complain(diagnose.FileError{File: u.URL, Err: err})
				continue
			}
		}
		if _, err := fmt.Fprintf(a.out, "%s  %s  %s\n", begun, terminal.Printable(cmp.Or(u.ID, "-")), terminal.Printable(u.URL)); err != nil {
			return err
		}
	}
	return nil
}
