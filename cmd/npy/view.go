package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/view"
	"github.com/spf13/cobra"
)

var viewSubcommand = subcommand{
	use:   "view FILE...",
	short: "Show arrays in a browser: pictures, lines, tables, histograms",
	group: lookGroup,
	reads: arrays | text,
	from:  anywhere,
	to:    here,
	make:  viewCommand,
}

func viewCommand(a *app) *cobra.Command {
	var maxHeader int
	var noOpen bool
	var folder, tokenFile, host string
	var o view.Options
	var objects flags.Objects
	c := &cobra.Command{
		Long: `View serves a page that shows the arrays of files as pictures, lines, tables
and histograms, and opens it in the browser. It ends with Ctrl-C, or when the
page has been closed for the time of --idle. Nothing leaves this machine: the
server is on the loopback interface, answers only its own page, whose address
has a secret, and the page loads nothing from elsewhere.

FILE is anything that 'npy show' reads: arrays, archives, ` + input.FormatNames("and") + ` files, members, groups, parts, and URLs. Arrays of any size are shown
without being read into memory. A file that changes is loaded again.

--no-open prints the address on a line of its own and opens no browser.

--ssh HOST shows files of another machine that has npy: it runs 'npy view' there
by ssh, and forwards the port of the page. By hand the same is
'ssh -L 8080:127.0.0.1:8080 HOST npy view --no-open --port 8080 FILE'.

Bookmarks stay true with --port and --token-file, a file that keeps the secret
of the address. It is made where there is none.

--allow-frame ORIGIN lets pages of an origin show the page in a frame, such as
a notebook at http://localhost:8888. No other page may.

--export writes the page as a folder instead, with the files in it, for those
who have nothing installed: they open its index.html, from a disk or from any
web server, and can drop further files on it, which are not uploaded.`,
		Example: `  npy view model.npz
  npy view run1.npy run2.npy           # press b to flip between them
  npy view 'data.h5:results'
  npy view --concat 0 shards/*.npy     # one array of many files
  npy view --no-open --port 8080 big.npy
  npy view --ssh cluster /data/big.npy # a file of another machine
  npy view --port 8080 --token-file ~/.npy-token run.npy   # for bookmarks
  npy view --export page model.npz     # open page/index.html`,
		Args: func(c *cobra.Command, args []string) error {
			if folder != "" {
				return nil // a page without files asks for some
			}
			return someFiles(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if o.Port < 0 || o.Port > 65535 {
				return fmt.Errorf("--port %d: ports are numbers from 0 to 65535", o.Port)
			}
			if folder != "" {
				return a.exportPage(folder, args)
			}
			if host != "" {
				return a.viewThere(host, o.Port, noOpen, c.Flags(), args)
			}
			if tokenFile != "" {
				token, err := tokenOf(tokenFile)
				if err != nil {
					return diagnose.Of(tokenFile, err)
				}
				o.Token = token
			}
			opener := a.opener(a.decoder(maxHeader, objects.Decoder()))
			opener.Tell, opener.Lasting = func(string, ...any) {}, true
			if a.joinAxis.Given {
				in, err := a.joinedView(opener, args)
				if err == nil {
					err = try(a.ctx, in)
				}
				if err != nil {
					return diagnose.Of(in.Name, err)
				}
				return a.view([]view.Input{in}, o, noOpen)
			}
			files, err := a.expandSorted(args)
			if err != nil {
				return err
			}
			var inputs []view.Input
			for _, arg := range files {
				in, err := viewed(opener, arg)
				if err == nil && len(files) == 1 && !isStream(arg) { // better reported here than on the page
					err = try(a.ctx, in)
				}
				if err != nil {
					return diagnose.Of(arg, err)
				}
				inputs = append(inputs, in)
			}
			return a.view(inputs, o, noOpen)
		},
	}
	f := c.Flags()
	f.IntVar(&o.Port, "port", 0, "serve on this `port`; 0 for any that is free")
	f.BoolVar(&noOpen, "no-open", false, "print the address, and open no browser")
	f.StringVar(&folder, "export", "", "write the page into this `folder`, with the files in it")
	f.StringVar(&host, "ssh", "", "show files of another `host`, by running npy there")
	f.StringVar(&tokenFile, "token-file", "", "keep the secret of the address in this `file`")
	f.StringArrayVar(&o.Frames, "allow-frame", nil, "pages of this `origin` may show the page in a frame")
	c.MarkFlagsMutuallyExclusive("ssh", "export")
	f.DurationVar(&o.Idle, "idle", 10*time.Minute, "end this `time` after the page was closed; 0 for never")
	a.addAs(c)
	a.addScale(c)
	a.addConcat(c)
	objects.Add(a.limits, c)
	flags.MaxHeader(c, &maxHeader)
	return c
}

// exportPage writes the page into a folder, with the files of args in it.
func (a *app) exportPage(folder string, args []string) error {
	paths := []string{}
	files, err := a.expandSorted(args)
	if err != nil {
		return err
	}
	for _, arg := range files {
		t, err := input.Parse(arg)
		if err == nil && (t.Member != "" || t.Index != nil) {
			err = errors.New("a page has whole files in it; write the part to a file first, with 'npy convert' or 'npy cp'")
		}
		if err == nil {
			_, err = os.Stat(t.Path)
		}
		if err != nil {
			return diagnose.Of(arg, err)
		}
		paths = append(paths, t.Path)
	}
	if err := view.Export(folder, paths...); err != nil {
		return diagnose.Of(folder, err)
	}
	a.talk("open %s", filepath.Join(folder, "index.html"))
	return nil
}

// viewed returns an argument as something to look at.
func viewed(o input.Opener, arg string) (view.Input, error) {
	t, err := input.Parse(arg)
	if err != nil {
		return view.Input{}, err
	}
	in := view.Path(t.Path, nil) // which sees when the file changes
	in.Name = diagnose.FileName(arg)
	in.Open = func(ctx context.Context) (*view.File, error) {
		f, err := openViewed(ctx, o, t)
		return f, diagnose.Explain(err)
	}
	return in, nil
}

// joinedView returns the files of --concat as one array to look at.
func (a *app) joinedView(o input.Opener, args []string) (view.Input, error) {
	files, err := a.expandSorted(args)
	in := view.Input{Name: diagnose.FileName(args[0]), Joined: files, Axis: a.joinAxis.Number}
	if len(files) > 1 {
		in.Name = fmt.Sprintf("%s and %d more", diagnose.FileName(files[0]), len(files)-1)
	}
	var states []func() (string, error)
	for _, file := range files {
		states = append(states, view.Path(file, nil).State)
	}
	in.State = func() (string, error) {
		var all strings.Builder
		for _, state := range states {
			text, err := state()
			if err != nil {
				return "", err
			}
			fmt.Fprintln(&all, text)
		}
		return all.String(), nil
	}
	in.Open = func(ctx context.Context) (*view.File, error) {
		o.Concat = &input.Concat{Axis: a.joinAxis.Number, Context: ctx, Expand: a.expandSorted}
		t, err := o.OpenJoined(input.Target{}, files)
		if err != nil {
			return nil, diagnose.Explain(err)
		}
		return openLone(ctx, o, t)
	}
	return in, err
}

// isStream reports whether a file can be read only once.
func isStream(arg string) bool {
	info, err := os.Stat(arg)
	return arg == "-" || err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// try opens a file and closes it.
func try(ctx context.Context, in view.Input) error {
	f, err := in.Open(ctx)
	if err == nil {
		f.Close()
	}
	return err
}

// openViewed opens a target with all of its arrays.
func openViewed(ctx context.Context, o input.Opener, t input.Target) (*view.File, error) {
	t, err := o.Open(t)
	if err != nil {
		return nil, err
	}
	if t.Container == nil {
		return openLone(ctx, o, t)
	}
	s, t, one, err := t.Select()
	if err != nil {
		t.Close()
		return nil, err
	}
	f := &view.File{Kind: t.Container.Kind.Name, Close: t.Close}
	for e := range t.Container.Entries() {
		if one && e.Path == t.Member || !one && s.Has(e.Path) {
			f.Entries = append(f.Entries, e)
		}
	}
	if len(f.Entries) == 0 {
		t.Close()
		return nil, errors.New("there are no arrays in it")
	}
	if len(t.Index) > 0 || o.Scale {
		for i, e := range f.Entries {
			if src, err := selected(o, t, e.Path); err != nil {
				f.Entries[i].Err = diagnose.Explain(err)
			} else {
				f.Entries[i].DType, f.Entries[i].Shape = src.DType(), src.Shape()
			}
			if len(t.Index) > 0 { // the part of the coordinates belongs to the first axis only
				f.Entries[i].Dims, f.Entries[i].Scales = nil, nil
			}
		}
	}
	f.Source = func(i int) (npy.Source, error) { return selected(o, t, f.Entries[i].Path) }
	attributes := func(path string) []container.Attribute {
		all, err := t.Container.Attributes(path)
		if err != nil {
			all = append(all, container.Attribute{Name: "attributes", Err: err})
		}
		return all
	}
	f.Global = func() []container.Attribute { return attributes("") }
	f.Attributes = func(i int) []container.Attribute {
		all := attributes(f.Entries[i].Path)
		if len(t.Index) > 0 {
			all = slices.DeleteFunc(all, func(a container.Attribute) bool { return a.Name == "axes" || strings.HasSuffix(a.Name, "_indices") })
		}
		if o.Scale { // the elements are unpacked already
			all = slices.DeleteFunc(all, func(a container.Attribute) bool { return netcdf.IsScaling(a.Name) })
		}
		return all
	}
	return f, nil
}

// selected returns an array of a container, or the part of it that the target names.
func selected(o input.Opener, t input.Target, path string) (npy.Source, error) {
	t.Member = path
	src, err := o.Entry(t)
	return src, diagnose.Explain(err)
}

// openLone opens a file with one array.
func openLone(ctx context.Context, o input.Opener, t input.Target) (*view.File, error) {
	src, err := o.Source(ctx, t)
	if err != nil {
		t.Close()
		return nil, err
	}
	return &view.File{
		Kind:    "npy",
		Entries: []container.Entry{{DType: src.DType(), Shape: src.Shape(), FortranOrder: src.Header.FortranOrder, Stored: npy.HeaderOf(src.Source).NBytes()}},
		Source:  func(int) (npy.Source, error) { return src.Source, nil },
		Close: func() {
			src.Close()
			t.Close()
		},
	}, nil
}

// view shows files until the page is closed for long or a signal comes.
func (a *app) view(inputs []view.Input, o view.Options, noOpen bool) error {
	remove := func() {}
	defer func() { remove() }()
	return view.Serve(a.ctx, inputs, o, func(url string) {
		if noOpen {
			fmt.Fprintln(a.out, url)
			return
		}
		remove = a.open(url)
	})
}

// open opens the browser at an address, and says what it is.
func (a *app) open(url string) (remove func()) {
	remove, err := a.openBrowser(url)
	if err != nil {
		a.report("no browser could be started (%v); open %s", err, url)
	} else {
		a.report("showing the page; Ctrl-C ends it. Its address is %s", url)
	}
	return remove
}

// openBrowser opens the browser at an address. The address is a secret, and all users of a machine see the arguments of its
// commands: the browser opens a file that only this user can read, which leads to it.
func (a *app) openBrowser(url string) (remove func(), err error) {
	nothing := func() {}
	dir, err := os.MkdirTemp("", "npy-view-")
	if err != nil {
		return nothing, err
	}
	done := a.temporaries.add(func() { os.RemoveAll(dir) })
	remove = func() {
		os.RemoveAll(dir)
		done()
	}
	path := filepath.Join(dir, "open.html")
	page := `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=` + html.EscapeString(url) + `"><title>npy view</title>` +
		`<a href="` + html.EscapeString(url) + `">npy view</a>` + "\n"
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		remove()
		return nothing, err
	}
	if isWSL() {
		path = url // the browser is of Windows and does not see the file
	}
	var command *exec.Cmd
	switch runtime.GOOS {
	case "windows":
		command = exec.Command("rundll32", "url.dll,FileProtocolHandler", path)
	case "darwin":
		command = exec.Command("open", path)
	default:
		command = exec.Command("xdg-open", path)
	}
	if err := command.Start(); err != nil {
		remove()
		return nothing, err
	}
	go func() { _ = command.Wait() }() // its messages are for its own screen
	return remove, nil
}

func isWSL() bool {
	if runtime.GOOS != "linux" {
		return false
	}
	version, err := os.ReadFile("/proc/sys/kernel/osrelease")
	return err == nil && strings.Contains(strings.ToLower(string(version)), "microsoft")
}
