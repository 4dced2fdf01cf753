package remote

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

const abortTimeout = 10 * time.Second

// An Upload is an array that several processes write together, each some of its parts, in any order. The file has the
// bytes of np.save. An Upload may be used by several goroutines.
type Upload struct {
	c     *client
	up    uploader
	token token
	head  []byte // of the file
	size  int64  // of the elements in bytes
	unit  int64  // bytes of one index of the first axis, or of the last axis in Fortran order
	rows  int
}

// An UploadPart is a range of the elements of an [Upload], as they are in the file.
type UploadPart struct {
	Bytes      npy.Range // of the elements, counted from the first
	First, End int       // the rows that it has bytes of: from First up to, and without, End. Columns in Fortran order
}

// token has the facts that processes need to join.
type token struct {
	Version int    `json:"v"`
	URL     string `json:"url"`
	ID      string `json:"id"`
	Head    []byte `json:"head"`
	Rows    int    `json:"rows,omitempty"` // of each part
	Bytes   int64  `json:"bytes,omitempty"`
	Absent  bool   `json:"absent,omitempty"`
}

// wideRow is the size of a row above which parts are not made of whole rows.
const wideRow = 64 << 20

// Begin begins to write an array with the dtype, the shape and the order of a header, at an s3, gs or az URL or the path of a
// file. The header must be one of plain elements, not of Python objects. Parts are whole rows, of about [Options.PartSize]; where
// a row has more than 64 MiB, and on R2, they are as long as each other and divide rows.
//
// An upload that is neither committed nor aborted stays, and costs money in a store.
func Begin(ctx context.Context, url string, h format.Header, o Options) (*Upload, error) {
	c, err := newClient(url, o)
	if err != nil {
		return nil, err
	}
	head, err := h.Append(nil)
	if err == nil && h.DType.HasObject() {
		err = fmt.Errorf("arrays of Python objects are written as a whole: %w", npy.ErrObjects)
	}
	if err != nil {
		return nil, c.failed("write", err)
	}
	u := &Upload{c: c, head: head, token: token{Version: 1, URL: c.loc.String(), Head: head, Absent: o.IfAbsent}}
	u.measure(h)
	u.plan()
	if u.up, err = c.uploader(); err == nil {
		u.token.ID, err = u.up.begin(ctx)
	}
	if err != nil {
		return nil, c.failed("write", err)
	}
	return u, nil
}

// Join returns the upload that Begin began, in another process. The token has no credentials: they, and Endpoint and Account, come
// from o. It says what file is written, so take tokens only from those who may decide that.
func Join(ctx context.Context, text string, o Options) (*Upload, error) {
	t, h, err := parseToken(text)
	if err != nil {
		return nil, err
	}
	o.IfAbsent = t.Absent
	c, err := newClient(t.URL, o)
	if err != nil {
		return nil, err
	}
	u := &Upload{c: c, head: t.Head, token: t}
	u.measure(h)
	if n := u.Parts(); n > mostParts || n < 1 {
		return nil, diag.Errorf("remote", "the token is of %d parts, want 1 to %d", n, mostParts)
	}
	if c.loc.store != s3 && !validID(t.ID) {
		return nil, errToken
	}
	if u.up, err = c.uploader(); err != nil {
		return nil, c.failed("write", err)
	}
	return u, nil
}

var errToken = diag.New("remote", "the token of an upload is damaged")

const mostToken = 1 << 20

// parseToken parses a token and the header in it.
func parseToken(text string) (t token, h format.Header, err error) {
	if len(text) > mostToken {
		return t, h, diag.Wrap("remote", bounded.Over("", mostToken, len(text), "a token of %d bytes", len(text)))
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || json.Unmarshal(raw, &t) != nil || t.Version != 1 {
		return t, h, errToken
	}
	h, err = format.ReadHeader(bytes.NewReader(t.Head))
	if err != nil {
		return t, h, fmt.Errorf("%w: %w", errToken, err)
	}
	if h.DataOffset != int64(len(t.Head)) || h.DType.HasObject() || t.ID == "" || t.Rows < 0 || t.Bytes < 0 || (t.Rows == 0) == (t.Bytes == 0) {
		return t, h, errToken
	}
	return t, h, nil
}

// Token returns the text by which other processes join. It has no credentials.
func (u *Upload) Token() string {
	raw, _ := json.Marshal(u.token) // strings and numbers
	return base64.RawURLEncoding.EncodeToString(raw)
}

// measure sets the sizes of the array. The header was validated, so products do not overflow.
func (u *Upload) measure(h format.Header) {
	u.size, u.rows = h.NBytes(), 1
	axis := 0
	if h.FortranOrder {
		axis = len(h.Shape) - 1
	}
	if len(h.Shape) > 0 {
		u.rows = h.Shape[axis]
	}
	u.unit = u.size / int64(max(u.rows, 1))
}

// plan chooses the size of the parts.
func (u *Upload) plan() {
	want := u.c.o.PartSize
	if want == 0 {
		want = max(basePart, u.size/(mostParts-1)+1)
	}
	if u.c.loc.store != disk {
		want = max(want, minPart)
	}
	want = max(want, u.size/(mostParts-1)+1, 1)
	if u.unit > wideRow || u.c.equalParts() {
		u.token.Bytes = max(want, int64(len(u.head)))
		return
	}
	u.token.Rows = int(max((want+max(u.unit, 1)-1)/max(u.unit, 1), 1))
}

// Parts returns the number of parts, at least 1.
func (u *Upload) Parts() int {
	if b := u.token.Bytes; b > 0 {
		return int(min(max((u.size+int64(len(u.head))+b-1)/b, 1), mostParts+1))
	}
	if u.size == 0 {
		return 1
	}
	return max((u.rows-1)/u.token.Rows+1, 1)
}

// Part returns part n, counted from 0.
func (u *Upload) Part(n int) UploadPart {
	if n < 0 || n >= u.Parts() {
		panic(fmt.Sprintf("remote: part %d of %d", n, u.Parts()))
	}
	var start, end int64
	if b := u.token.Bytes; b > 0 {
		start, end = max(int64(n)*b-int64(len(u.head)), 0), min(int64(n+1)*b-int64(len(u.head)), u.size)
	} else {
		start = int64(n) * int64(u.token.Rows) * u.unit
		end = u.size
		if n < u.Parts()-1 {
			end = start + int64(u.token.Rows)*u.unit
		}
	}
	p := UploadPart{Bytes: npy.Range{Start: start, End: max(end, start)}}
	if u.unit > 0 {
		p.First, p.End = int(start/u.unit), int((end+u.unit-1)/u.unit)
	}
	return p
}

// stored returns the size of part n with the header, and its offset in the file.
func (u *Upload) stored(n int) (off, size int64) {
	p := u.Part(n).Bytes
	if n == 0 {
		return 0, p.End - p.Start + int64(len(u.head))
	}
	return p.Start + int64(len(u.head)), p.End - p.Start
}

// WritePart writes the bytes of part n: r must have the Bytes of its [UploadPart], in the order and the byte order of the file, and
// no more. The header is added to part 0. A part may be written again, with the same bytes. The part is in memory
// until it is uploaded.
func (u *Upload) WritePart(ctx context.Context, n int, r io.Reader) error {
	off, size := u.stored(n)
	if size > math.MaxInt {
		return u.c.failed("write", fmt.Errorf("part %d: %d bytes are more than the memory of this machine", n, size))
	}
	var head []byte
	if n == 0 {
		head = u.head
	}
	data, err := bounded.ReadAll(io.MultiReader(bytes.NewReader(head), r), int(size))
	if err == nil {
		var one [1]byte
		if m, _ := bounded.ReadFull(r, one[:]); m > 0 {
			err = fmt.Errorf("more than the %d bytes of the part", size-int64(len(head)))
		}
	}
	if err == nil {
		err = u.up.part(ctx, u.token.ID, n+1, off, data)
	}
	if err != nil {
		return u.c.failed("write", fmt.Errorf("part %d: %w", n, err))
	}
	return nil
}

// Missing returns the numbers of the parts that are not stored, in ascending order.
func (u *Upload) Missing(ctx context.Context) ([]int, error) {
	sizes, err := u.up.parts(ctx, u.token.ID)
	if errors.Is(err, errMoved) {
		return nil, nil
	}
	if err != nil {
		return nil, u.c.failed("write", err)
	}
	var missing []int
	for n := range u.Parts() {
		if _, size := u.stored(n); sizes[n+1] != size {
			missing = append(missing, n)
		}
	}
	return missing, nil
}

// Commit makes the parts the file. If some are missing it fails and changes nothing. With [Options.IfAbsent] of Begin, the error
// wraps fs.ErrExist if the file exists.
func (u *Upload) Commit(ctx context.Context) error {
	missing, err := u.Missing(ctx)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return u.c.failed("write", fmt.Errorf("%d of %d parts are missing: %s: write them and commit again", len(missing), u.Parts(), numbers(missing)))
	}
	if err := u.up.commit(ctx, u.token.ID, u.Parts()); err != nil {
		return u.c.failed("write", err)
	}
	return nil
}

// numbers returns the first of some numbers as text.
func numbers(n []int) string {
	text := fmt.Sprint(n[:min(len(n), 5)])
	text = strings.ReplaceAll(strings.Trim(text, "[]"), " ", ", ")
	if len(n) > 5 {
		text += ", …"
	}
	return text
}

// Abort gives up, and removes the parts. Azure keeps them for a week if the file exists, or if another upload of it has begun.
func (u *Upload) Abort(ctx context.Context) error {
	if err := u.up.abort(ctx, u.token.ID); err != nil {
		return u.c.failed("write", err)
	}
	return nil
}

// Header returns the header of the file. The result is a copy.
func (u *Upload) Header() format.Header {
	h, _ := format.ReadHeader(bytes.NewReader(slices.Clone(u.head))) // it was read or written before
	return h
}
