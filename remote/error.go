package remote

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// ErrChanged is wrapped by the error of a read whose file is no longer the one that was opened.
var ErrChanged = errors.New("the file changed while it was read: open it again")

// ErrNoRanges is wrapped by errors about servers that ignore ranges of bytes.
var ErrNoRanges = errors.New("the server ignores ranges of bytes")

// An Error is a request that failed. errors.Is finds fs.ErrNotExist, fs.ErrPermission, fs.ErrExist and [ErrChanged] in it.
type Error struct {
	Op     string // "open", "read", "list", "write"
	URL    string // without credentials and query
	Status int    // of the answer; 0 if there was none
	Code   string // the error code of the store, such as "NoSuchKey"
	Err    error  // what is wrong
}

// Error returns one line.
func (e *Error) Error() string { return e.Op + " " + e.URL + ": " + e.Err.Error() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// A failure is one failed attempt of a request.
type failure struct {
	err    error
	status int
	code   string
	region string        // that S3 says the bucket is in
	retry  bool          // later it may succeed
	after  time.Duration // the server asks to wait for it
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// broken is the failure of an answer that did not arrive whole.
func broken(err error) *failure { return &failure{err: err, retry: true} }

// wrong is the failure of an answer that makes no sense.
func wrong(format string, args ...any) *failure { return &failure{err: fmt.Errorf(format, args...)} }

// statusErrors are the errors that errors.Is finds in answers.
var statusErrors = map[int]error{
	http.StatusNotFound: fs.ErrNotExist, http.StatusGone: fs.ErrNotExist,
	http.StatusUnauthorized: fs.ErrPermission, http.StatusForbidden: fs.ErrPermission,
}

// refused returns the failure for an answer with an error status. It reads the start of the body and closes it.
func refused(resp *http.Response) *failure {
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 16<<10)) // the bytes that arrived are enough
	f := &failure{status: resp.StatusCode, after: retryAfter(resp.Header, time.Now())}
	e := parseError(body)
	f.code, f.region = e.Code, e.Region
	what := fmt.Sprintf("the server answers %d %s", f.status, http.StatusText(f.status))
	if e.Code != "" {
		what += ", " + printable(e.Code)
	}
	if e.Message != "" && !tells(e.Message, resp.Request) {
		what += ": " + printable(e.Message)
	}
	f.retry = retryStatus(f.status) || f.code == "SlowDown" || f.code == "RequestTimeout" || f.code == "InternalError"
	f.err = errors.New(what)
	if is := statusErrors[f.status]; is != nil {
		f.err = &statusError{what, is}
	}
	if r := resp.Header.Get("X-Amz-Bucket-Region"); r != "" {
		f.region = r
	}
	return f
}

// A statusError has the text of an answer and is one of the errors of io/fs.
type statusError struct {
	text string
	is   error
}

func (e *statusError) Error() string { return e.text }
func (e *statusError) Unwrap() error { return e.is }

func retryStatus(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests, 425:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return status >= 500
}

// parseError returns the error in an answer: XML of S3 and Azure, or JSON of Google.
func parseError(body []byte) (e storeError) {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(trimmed, []byte("<")):
		err := parseXML(bytes.NewReader(trimmed), "Error", mostBody, func(path string, text []byte) error {
			e.take(path, string(text))
			return nil
		})
		if err != nil {
			return storeError{}
		}
	case bytes.HasPrefix(trimmed, []byte("{")):
		e.parseJSON(string(trimmed))
	}
	return e
}

// parseJSON sets the fields of Google's answers: {"error": {"message": …, "errors": [{"reason": …}]}}, or for tokens
// {"error": …, "error_description": …}.
func (e *storeError) parseJSON(text string) {
	j := newJSON(text)
	var code, description string
	err := j.object(map[string]func() error{
		"error_description": j.text(&description),
		"error": func() error {
			if j.Peek() == '"' {
				return j.text(&code)()
			}
			return j.object(map[string]func() error{
				"message": j.text(&e.Message),
				"errors": func() error {
					return j.list(func() error {
						reason := j.skip
						if e.Code == "" {
							reason = j.text(&e.Code)
						}
						return j.object(map[string]func() error{"reason": reason})
					})
				},
			})
		},
	})
	if j.result(err) != nil {
		*e = storeError{}
	} else if code != "" {
		e.Code, e.Message = code, description
	}
}

// printable returns the text of a server as one short line.
func printable(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// tells reports whether text repeats something of the request that must not be printed.
func tells(text string, req *http.Request) bool {
	if req == nil {
		return false
	}
	secrets := []string{req.URL.RawQuery, req.Header.Get("X-Amz-Security-Token")}
	secrets = append(secrets, strings.Fields(req.Header.Get("Authorization"))...)
	for _, values := range req.URL.Query() {
		secrets = append(secrets, values...)
	}
	for _, s := range secrets {
		if len(s) >= 8 && strings.Contains(text, s) {
			return true
		}
		if u, err := url.QueryUnescape(s); err == nil && len(u) >= 8 && strings.Contains(text, u) {
			return true
		}
	}
	return false
}
