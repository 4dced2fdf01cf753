// Package remote reads and writes files of HTTP servers, S3, Google Cloud Storage and Azure Blob Storage by ranges of
// bytes, with the standard library alone.
//
//	f, err := remote.Open(ctx, "s3://bucket/big.npy", remote.Options{})
//	defer f.Close()
//	a, err := npy.Decoder{ReadOptions: f.ReadOptions()}.OpenReaderAt(f, f.Size())
//	row, err := a.Slice(npy.At(3)) // one request
//
// # URLs
//
//	https://host/path, http://host/path      any server; a query is sent as it is and never printed
//	s3://bucket/key                          S3 and what speaks its protocol (Options.Endpoint: MinIO, R2, …)
//	gs://bucket/object                       Google Cloud Storage
//	az://container/blob                      Azure Blob Storage, of the account in Options.Account or AZURE_STORAGE_ACCOUNT
//
// The https URLs of the three stores, without a query, mean the same as the short forms, but need no credentials where
// none are found. Keys are taken as they are, without percent-decoding.
//
// # Reading
//
// [Open] makes one request for the first 64 KiB, which tells the size and the version of the file. Every later answer
// must belong to the same version: a file that changes while it is read is an error that wraps [ErrChanged], and never a
// mixture. The version is the ETag (the generation of Google Cloud Storage); a server without ETags must keep
// Last-Modified and the size. A request that fails for a while is repeated, and goes on after the last byte that arrived.
//
// A server that ignores ranges is read forward: reads at growing offsets work, and reads before the cached part start over,
// within [Options.MaxSkip].
//
// # Writing
//
// [Create] gives an io.WriteSeeker for one writer, and the rows of npy.NewRowWriter need not be counted beforehand. [Begin], [Join],
// [Upload.WritePart] and [Upload.Commit] have many processes write one array, on one machine or many, to a store or a folder
// that they share. A new file appears as a whole, or not at all; what a process that was killed has not written, [Upload.Missing]
// tells. [List] lists the files of a store.
//
// # Credentials
//
// They are looked for where the tools of each store look, unless [Options.Anonymous] or [Options.Signer] is set:
//
//	S3      environment, web identity (IRSA), profile files with credential_process and assumed roles, ECS, EC2 (IMDSv2)
//	GCS     GOOGLE_APPLICATION_CREDENTIALS, the application default file of gcloud, the metadata server
//	Azure   AZURE_STORAGE_CONNECTION_STRING, _KEY, _SAS_TOKEN, service principals, workload and managed identities
//
// # Addresses
//
// The URL that a program opens may lead to any address. Where its server leads, by a redirect or by a file that names others
// ([File.OpenLinked]), is not the program's wish: such a request goes to addresses no nearer than the one that led there. A
// server of the internet leads to the internet, one of a private network also into it, and one of this machine to all three
// ([Options.PrivateRedirects] lets all do so). None leads to a link-local address or to one where a cloud tells programs its
// credentials, except back to itself. An IPv4 address within an IPv6 address counts, as NAT64, 6to4 and others have it.
//
// The address is checked when it is dialled, after the name was looked up, so a name that changes its address leads nowhere
// else. An [http.Transport] of the program with a function that dials is asked for the address of the connection, before
// anything is sent. Two things cannot be checked so: what a proxy connects to, and connections of another RoundTripper. Of
// these, the host in the URL is refused if it is such an address, in any form that a resolver takes, or the name of a metadata
// service, of this machine or of a private network. The prefix of NAT64 that a network has chosen itself is not known, and
// neither is a private network with public addresses. The error wraps [ErrAddress].
//
// A service that opens URLs of strangers sets [Options.Untrusted]: then the rule of redirects holds for the URL, too.
//
// Keys, tokens and the queries of URLs are not part of errors. They are only sent to the host that they are for: a redirect
// to another host is followed without them.
package remote

// Reading the source. Open (file.go) parses the URL (location.go), finds the credentials (auth.go, internal/cloudauth)
// and asks for the first 64 KiB. The answer has the size and the version of the file (pin, in header.go), with which
// every later answer must agree. client.go sends requests, follows redirects and retries (backoff.go). Reads go to the
// cache (cache.go): spans of bytes that have arrived or are on their way, so that goroutines wait for each other
// instead of asking twice.
//
// A reader that will read all of a range says so first through internal/announce, which reaches File.WillRead
// (plan.go). Such a range is read with 16 requests at a time. File.ReadOptions tells planners the gap that costs as
// much as a request (speed.go). The end of an archive is read together with its start (ending.go), and a server
// without ranges from start to end (forward.go).
//
// Files are written by an uploader (uploader.go): numbered parts, a list of stored parts, a commit. s3write.go,
// azurewrite.go, gcswrite.go and diskwrite.go implement it. A Writer (writer.go) keeps the first part until the end,
// because the header is written again. An Upload (upload.go) divides an array among processes. uploads.go lists the
// parts that killed writers left.
