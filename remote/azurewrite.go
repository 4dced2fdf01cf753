package remote

import (
	"context"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// azureUpload writes block blobs. Blocks that are not committed belong to no upload but by their names; Azure drops them
// after a week.
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

func (u azureUpload) parts(ctx context.Context, id string) (map[int]int64, error) {
	data, _, err := u.c.write(ctx, http.MethodGet, query(u.c.loc.url, "comp", "blocklist", "blocklisttype", "uncommitted"), nil, nil, false)
	var f *failure
	if errors.As(err, &f) && f.status == http.StatusNotFound && f.code != "ContainerNotFound" {
		return map[int]int64{}, nil // no block yet
	}
	if err != nil {
		return nil, err
	}
	return parseBlocks(data, id)
}

// parseBlocks parses the list of the blocks of an upload.
func parseBlocks(data []byte, id string) (map[int]int64, error) {
	var x struct {
		XMLName xml.Name `xml:"BlockList"`
		Block   []struct {
			Name string
			Size int64
		} `xml:"UncommittedBlocks>Block"`
	}
	if xml.Unmarshal(trimBOM(data), &x) != nil {
		return nil, wrong("the server lists blocks in XML that is invalid")
	}
	sizes := map[int]int64{}
	for _, b := range x.Block {
		if number := blockNumber(id, b.Name); number > 0 {
			sizes[number] = b.Size
		}
	}
	return sizes, nil
}

func trimBOM(data []byte) []byte { return []byte(strings.TrimPrefix(string(data), "\ufeff")) }

// commit names the newest blocks of their names, so that it can be repeated when its answer was lost.
func (u azureUpload) commit(ctx context.Context, id string, n int) error {
	var body strings.Builder
	body.WriteString(xml.Header + "<BlockList>")
	for i := 1; i <= n; i++ {
		body.WriteString("<Latest>" + blockName(id, i) + "</Latest>")
	}
	body.WriteString("</BlockList>")
	_, _, err := u.c.write(ctx, http.MethodPut, query(u.c.loc.url, "comp", "blocklist"), u.c.ifAbsent(), []byte(body.String()), true)
	return err
}

// abort leaves the blocks to Azure: there is no request that drops those of one upload.
func (u azureUpload) abort(context.Context, string) error { return nil }

func (u azureUpload) put(ctx context.Context, data []byte) error {
	h := u.c.ifAbsent()
	h.Set("X-Ms-Blob-Type", "BlockBlob")
	_, _, err := u.c.write(ctx, http.MethodPut, u.c.loc.url, h, data, false)
	return err
}
