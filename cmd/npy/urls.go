package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/conversion"
	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/flags"
	"github.com/npygo/npy/cmd/npy/internal/input"
	"github.com/npygo/npy/cmd/npy/internal/urls"
	"github.com/npygo/npy/remote"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Arguments that name files may be URLs. internal/urls opens and writes them. Here are the flags, and the error of
// subcommands that need files of this machine.

// refuseURLs makes a subcommand that needs files of this machine refuse URLs.
func (s *subcommand) refuseURLs(c *cobra.Command) {
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		for _, arg := range args {
			if err := inPlace(s.name(), arg); err != nil && s.inPlace {
				return err
			} else if err != nil {
				return fmt.Errorf("%s reads files of this machine, and %s is a URL; copy it here with 'npy cp'", s.name(), diagnose.FileName(arg))
			}
		}
		return run(c, args)
	}
}

// addURLs adds the flags of URLs to a subcommand.
func (a *app) addURLs(c *cobra.Command) {
	o, f := &a.urls.Options, c.Flags()
	f.StringVar(&o.Endpoint, "endpoint", "", "the `URL` of the server of s3, gs and az: http://localhost:9000")
	f.BoolVar(&o.Anonymous, "anonymous", false, "send requests without credentials")
	f.DurationVar(&o.Timeout, "timeout", 3*time.Minute, "give up a read after this `time`, with all repetitions")
	f.Var((*retries)(&o.Retries), "retries", "repeat a failed request up to this `number` of times")
	f.BoolVar(&o.PrivateRedirects, "private-redirects", false, "let servers of the internet redirect to private addresses and to this machine")
	f.BoolVar(&a.requests, "requests", false, "print the requests, bytes and time of URLs to standard error")
	names := []string{"endpoint", "anonymous", "timeout", "retries", "private-redirects", "requests"}
	flags.Group(c, "Flags for URLs; see 'npy help urls'", names...)
}

// retries is the value of --retries. 0 means none.
type retries int

var _ pflag.Value = (*retries)(nil)

// String implements pflag.Value.
func (r *retries) String() string {
	switch {
	case *r == 0:
		return "10"
	case *r < 0:
		return "0"
	}
	return fmt.Sprint(int(*r))
}

// Type implements pflag.Value.
func (r *retries) Type() string { return "int" }

// Set implements pflag.Value.
func (r *retries) Set(text string) error {
	var n int
	if _, err := fmt.Sscanf(text+"\n", "%d\n", &n); err != nil || n < 0 {
		return fmt.Errorf("want 0 or a positive number")
	}
	if *r = retries(n); n == 0 {
		*r = -1
	}
	return nil
}

// inPlace returns an error if a subcommand would change a file at a URL.
func inPlace(command, path string) error {
	if !remote.IsURL(path) {
		return nil
	}
	return fmt.Errorf("%s changes files of this machine, and %s is a URL; copy it here with 'npy cp', or write a new file with 'npy convert'", command, diagnose.FileName(path))
}

// expandFiles replaces patterns by the files that match them: see [input.ExpandFiles]. Patterns of URLs are listed.
func (a *app) expandFiles(args []string) ([]string, error) {
	var files []string
	for _, arg := range input.ExpandFiles(args) {
		pattern, rest := input.CutURLPattern(arg)
		if pattern == "" {
			files = append(files, arg)
			continue
		}
		if !urls.IsStore(pattern) {
			return nil, fmt.Errorf("%s: patterns need a list of files, which s3, gs and az URLs have", diagnose.FileName(arg))
		}
		before := len(files)
		if err := a.urls.List(pattern, func(url string) { files = append(files, url+rest) }); err != nil {
			return nil, diagnose.Of(pattern, err)
		}
		if len(files) == before {
			return nil, diagnose.Of(pattern, fmt.Errorf("no file matches"))
		}
	}
	return files, nil
}

// checkArray returns an error if OUT has the name of a file that is no .npy file, for subcommands that write no other.
func (a *app) checkArray(out string) error {
	_, plain := input.CompressionOf(out)
	f, err := a.formatFor("", plain, "OUT", "OUT")
	if err != nil || f == conversion.NPY { // any other ending is the user's own
		return nil
	}
	return fmt.Errorf("%s: the result is an .npy file; name it so, and let 'npy convert' make a %s file of it", diagnose.FileName(out), filepath.Ext(plain))
}

// copyTo writes an array to a path, a URL or standard output (-), compressed if the name has a second ending such as .gz.
func (a *app) copyTo(c npy.Copier, path string, src npy.Source) error {
	write := func(w io.Writer) error { return c.Write(a.ctx, w, src) }
	compression, _ := input.CompressionOf(path)
	switch {
	case path == "-":
		return write(a.out)
	case compression != nil:
		return a.urls.Replace(path, func(w io.Writer) error { return conversion.Compress(compression, w, write) })
	case remote.IsURL(path):
		return a.urls.Write(path, write)
	}
	return c.WriteFile(a.ctx, path, src)
}

// withoutSecrets returns a text without the queries and the credentials of the URLs among the arguments.
func withoutSecrets(args []string) *strings.Replacer {
	var pairs []string
	for _, arg := range args {
		_, url, _ := strings.Cut(arg, "://")
		host, _, _ := strings.Cut(url, "/")
		if user, _, ok := strings.Cut(host, "@"); ok && user != "" {
			pairs = append(pairs, user, "…")
		}
		_, query, _ := strings.Cut(url, "?")
		for pair := range strings.SplitSeq(query, "&") {
			if _, value, _ := strings.Cut(pair, "="); len(value) >= 4 && !urls.IsStore(arg) {
				pairs = append(pairs, pair, "…", value, "…")
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// tellRequests prints the requests to servers, for --requests.
func (a *app) tellRequests() {
	if !a.requests {
		return
	}
	s, took := a.urls.Stats()
	a.report("%s, %s repeated; %s received; %s read, %s of them from memory; %.3f s", diagnose.Counted(int(s.Requests), "request"), fmt.Sprint(s.Retries), diagnose.Bytes(s.Bytes),
		diagnose.Counted(int(s.Reads), "range"), diagnose.Bytes(s.Cached), took.Seconds())
}

// newURLs returns the client for URLs. Its requests end with the context of the run.
func (a *app) newURLs() *urls.Client {
	return &urls.Client{Context: func() context.Context { return a.ctx }, MaxKeys: func() int { return int(a.limits["MaxKeys"]) }}
}

const urlsTopic = `Arguments that name files may be URLs, for reading and as OUT:

  https://host/path  http://host/path   any server; read only
  s3://bucket/key                       S3, MinIO, R2 and others: --endpoint
  gs://bucket/object                    Google Cloud Storage
  az://container/blob                   Azure Blob Storage

  npy info s3://bucket/a.npy
  npy show 's3://bucket/a.npy[3]'          reads one row
  npy show 's3://bucket/m.npz:w[0]'        reads a part of one member
  npy stats 's3://bucket/shards/*.npy'     all files that match
  npy show 'https://host/a.npy?sig=x[:5]'  an index follows the query
  npy convert s3://bucket/a.h5:x gs://other/x.npy

Parts of .npy files, of members of archives and of arrays in HDF5 and netCDF
files are read by ranges of bytes. A file that changes while it is read is an
error. Patterns need a list of files, which s3, gs and az URLs have: * and ?
match within a part of the name between slashes, and ** as a part matches any
number of parts.

If a file may have several arrays, by its ending, :NAME and [INDEX] after it are
not part of the URL; elsewhere they are if there is no file without them. A name
after a query has no & and no =.

Redirects, and manifests at URLs, lead to addresses no nearer than that of their
server: from the internet to the internet, unless --private-redirects is given,
and from a private network also into it. They never lead to link-local addresses,
where clouds answer with credentials. Behind a proxy only names are checked.

A new file appears at a URL when it is complete, or not at all; --no-clobber
never replaces one ('npy help out'). Subcommands that change files where they are, as append and
rm, need files of this machine.

Credentials come from where the tools of each store take them: environment,
profiles, and the services of cloud machines. AWS_ENDPOINT_URL,
STORAGE_EMULATOR_HOST and AZURE_STORAGE_ACCOUNT are read, too. Queries of URLs
and keys are never printed. --requests tells what was asked of servers.
`
