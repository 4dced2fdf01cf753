package remote

import (
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/par"
)

// azureUpload writes block blobs. Blocks that are not committed belong to no upload but by their names; Azure drops them
// after a week, and all of a blob together when a list of blocks is committed.
type azureUpload struct{ c *client }

func (u azureUpload) begin(context.Context) (string, error) { return newID(), nil }

// blockName returns the name of a block. All names of a blob have the same length, as Azure requires.
func blockName(id string, number int) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%s-%05d", id, number))
}

// blockNumber is the inverse of blockName; 0 for the blocks of others.
func blockNumber(id, name string) int {
	text, err := base64.StdEncoding.DecodeString(name)
	digits, ok := strings.CutPrefix(string(text), id+"-")
	number, err2 := strconv.Atoi(digits)
	if err != nil || err2 != nil || !ok || number < 1 || blockName(id, number) != name {
		return 0
	}
	return number
}

func (u azureUpload) part(ctx context.Context, id string, number int, _ int64, data []byte) error {
	_, _, err := u.c.write(ctx, http.MethodPut, query(u.c.loc.url, "comp", "block", "blockid", blockName(id, number)), nil, data, false)
	return err
}

// An azureBlock is a block that is not committed.
type azureBlock struct {
	Name string
	Size int64
}

// upload returns the id of the upload of a block, "" if another program wrote it.
func (b azureBlock) upload() string {
	text, _ := base64.StdEncoding.DecodeString(b.Name)
	id, _, _ := strings.Cut(string(text), "-")
	if !validID(id) || blockNumber(id, b.Name) == 0 {
		return ""
	}
	return id
}

func (u azureUpload) parts(ctx context.Context, id string) (map[int]int64, error) {
	blocks, err := u.blocks(ctx, u.c.loc.url)
	if err != nil {
		return nil, err
	}
	sizes := map[int]int64{}
	for _, b := range blocks {
		if number := blockNumber(id, b.Name); number > 0 {
			sizes[number] = b.Size
		}
	}
	return sizes, nil
}

// blocks returns the blocks of a file that are not committed, by any program.
func (u azureUpload) blocks(ctx context.Context, file *url.URL) (blocks []azureBlock, err error) {
	err = u.c.pager("blocks").read(ctx, query(file, "comp", "blocklist", "blocklisttype", "uncommitted"), func(r io.Reader) (err error) {
		blocks, err = parseBlocks(r)
		return err
	})
	var f *failure
	if errors.As(err, &f) && f.status == http.StatusNotFound && f.code != "ContainerNotFound" {
		return nil, nil // no block yet
	}
	return blocks, err
}

const mostBlocks = 100_000 // of Azure

// parseBlocks parses the list of the blocks of a file.
func parseBlocks(r io.Reader) (blocks []azureBlock, err error) {
	var b azureBlock
	err = parseXML(r, "BlockList", mostPage, func(path string, text []byte) (err error) {
		switch path {
		case "UncommittedBlocks/Block/Name":
			b.Name = string(text)
		case "UncommittedBlocks/Block/Size":
			b.Size, err = parseListed(text)
		case "UncommittedBlocks/Block":
			if len(blocks) == mostBlocks {
				return bounded.Over("", mostBlocks, 0, "the server lists more than %d blocks", mostBlocks)
			}
			blocks, b = append(blocks, b), azureBlock{}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return blocks, nil
}

// commit names the newest blocks of their names, so that it can be repeated when its answer was lost.
func (u azureUpload) commit(ctx context.Context, id string, n int) error {
	_, err := u.putList(ctx, id, n, u.c.ifAbsent())
	return err
}

// putList makes the blocks 1 to n of an upload the file, which drops all others, and returns the ETag of the file.
func (u azureUpload) putList(ctx context.Context, id string, n int, h http.Header) (etag string, err error) {
	var body strings.Builder
	body.WriteString(xml.Header + "<BlockList>")
	for i := 1; i <= n; i++ {
		body.WriteString("<Latest>" + blockName(id, i) + "</Latest>")
	}
	body.WriteString("</BlockList>")
	_, answer, err := u.c.write(ctx, http.MethodPut, query(u.c.loc.url, "comp", "blocklist"), h, []byte(body.String()), true)
	return answer.Get("Etag"), err
}

// abort drops the blocks of an upload, unless the file exists or another upload has blocks of it, too: Azure has no request
// for some of the blocks, and removes the rest after a week.
func (u azureUpload) abort(ctx context.Context, id string) error {
	blocks, err := u.blocks(ctx, u.c.loc.url)
	if err != nil || len(blocks) == 0 || uploadOf(blocks) != id {
		return err
	}
	if err = u.drop(ctx); errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// uploadOf returns the id of the upload of all blocks, "" if they are of several, or of other programs.
func uploadOf(blocks []azureBlock) string {
	id := blocks[0].upload()
	for _, b := range blocks {
		if b.upload() != id {
			return ""
		}
	}
	return id
}

// drop drops all blocks that are not committed of a file that does not exist. The one way is to make an empty file, and to
// delete it. If the file exists, the error wraps fs.ErrExist.
func (u azureUpload) drop(ctx context.Context) error {
	before := u.c.count.retries.Load()
	etag, err := u.putList(ctx, "", 0, http.Header{"If-None-Match": {"*"}})
	if errors.Is(err, fs.ErrExist) && u.c.count.retries.Load() > before {
		if f, openErr := openClient(ctx, u.c); openErr == nil {
			if f.Size() == 0 { // the first request made it, and its answer was lost
				etag, err = f.ETag(), nil
			}
			f.Close()
		}
	}
	if err != nil {
		return err
	}
	h := http.Header{}
	if etag != "" {
		h.Set("If-Match", etag)
	}
	_, _, err = u.c.write(ctx, http.MethodDelete, u.c.loc.url, h, nil, false)
	var f *failure
	if errors.As(err, &f) && (f.status == http.StatusNotFound || f.status == http.StatusPreconditionFailed) {
		return nil // it is deleted, or it is the file of another writer
	}
	return err
}

// uploads calls yield with each file that has blocks which are not committed, until it returns false. The list of a container
// does not say which these are, so each file below the prefix is asked for, several at the same time.
func (u azureUpload) uploads(ctx context.Context, yield func(key, id string, begun time.Time) bool) error {
	var failed error
	next, stop := par.Pull2(iter.Seq2[object, error](func(yield func(object, error) bool) {
		failed = u.c.listMore(ctx, u.c.loc.key, []string{"include", "uncommittedblobs"}, func(o object) bool { return yield(o, nil) })
	}))
	defer stop()
	type found struct {
		object
		blocks []azureBlock
	}
	entries := func() (o object, size int64, ok bool) {
		o, _, ok = next()
		return o, 1, ok
	}
	for file, err := range par.Ahead(ctx, u.c.o.Concurrent, int64(4*u.c.o.Concurrent), entries, func(o object) (found, error) {
		blocks, err := u.blocks(ctx, u.c.loc.object(o.key))
		var f *failure
		if errors.As(err, &f) && f.code == "InvalidBlobType" {
			return found{}, nil // an append blob or a page blob
		}
		return found{o, blocks}, err
	}) {
		if err != nil {
			return err
		}
		if len(file.blocks) == 0 {
			continue
		}
		id := uploadOf(file.blocks)
		begun := timeOf(id, time.Now())
		if begun.IsZero() && file.size == 0 {
			begun = file.modified
		}
		if !yield(file.key, id, begun) {
			return nil
		}
	}
	return failed
}

func (u azureUpload) put(ctx context.Context, data []byte) error {
	h := u.c.ifAbsent()
	h.Set("X-Ms-Blob-Type", "BlockBlob")
	_, _, err := u.c.write(ctx, http.MethodPut, u.c.loc.url, h, data, false)
	return err
}
