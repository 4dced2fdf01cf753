package remote

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"github.com/npygo/npy/internal/bounded"
)

// Answers of stores in XML are read as they arrive, element by element, and never as a tree: a server decides how large they are.
const (
	mostNesting = 16       // elements within each other; stores use 4
	mostElement = 64 << 10 // bytes of a tag or a text; the longest names of stores have 3 KiB
)

// parseXML reads a document of at most most bytes with a root of the given name. It calls end at the end of each
// element within it, with its path below the root and its own text, which is valid during the call.
func parseXML(r io.Reader, root string, most int64, end func(path string, text []byte) error) error {
	s := &elements{r: bufio.NewReader(r), left: most, most: most}
	var refusal storeError
	err := s.scan(func(path string, text []byte) error {
		switch s.root {
		case root:
			return end(path, text)
		case "Error":
			refusal.take(path, string(text))
			return nil
		}
		return errRoots
	})
	var over *bounded.Error
	var f *failure
	switch {
	case s.failed != nil && !errors.As(s.failed, &over):
		return bodyError(s.failed)
	case s.root == "Error" && root != s.root: // S3 has answered 200 before it failed
		return refusal.failure()
	case errors.As(err, &over), errors.As(err, &f):
		return err
	case err != nil, s.root != root:
		return wrong("the server answers XML that is invalid, or no %s", root)
	}
	return nil
}

// An elements reads the elements of a document.
type elements struct {
	r      *bufio.Reader
	left   int64 // bytes that the document may still have
	room   int   // bytes that the next tag or text may still have
	most   int64
	root   string // "" before it is known
	failed error  // of reading, or of a limit
}

// Read implements io.Reader, which xml.Decoder asks for and does not use.
func (s *elements) Read([]byte) (int, error) { return 0, errors.ErrUnsupported }

// ReadByte implements io.ByteReader, without which the decoder would read ahead.
func (s *elements) ReadByte() (c byte, err error) {
	switch {
	case s.left == 0:
		err = bounded.Over("", s.most, 0, "the server answers more than %d bytes at once", s.most)
	case s.room == 0:
		err = bounded.Over("", mostElement, 0, "the server answers an element of more than %d bytes", mostElement)
	default:
		c, err = s.r.ReadByte()
	}
	if err != nil && err != io.EOF {
		s.failed = err
	}
	s.left--
	s.room--
	return c, err
}

// scan calls end for each element but the root.
func (s *elements) scan(end func(path string, text []byte) error) error {
	d := xml.NewDecoder(s)
	var path, text []byte
	var starts []int // of the elements that are open, in path
	for closed := false; ; {
		s.room = mostElement
		token, err := d.Token()
		if err == io.EOF && closed {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch {
			case closed:
				return errRoots
			case s.root == "":
				s.root = t.Name.Local
				continue
			case len(starts) == mostNesting:
				return bounded.Over("", mostNesting, 0, "the server answers elements of more than %d levels", mostNesting)
			}
			starts = append(starts, len(path))
			if len(path) > 0 {
				path = append(path, '/')
			}
			path, text = append(path, t.Name.Local...), text[:0]
		case xml.CharData:
			if len(text)+len(t) > mostElement {
				return bounded.Over("", mostElement, 0, "the server answers a text of more than %d bytes", mostElement)
			}
			text = append(text, t...)
		case xml.EndElement:
			if closed = len(starts) == 0; closed {
				continue
			}
			if err := end(string(path), text); err != nil {
				return err
			}
			path, starts, text = path[:starts[len(starts)-1]], starts[:len(starts)-1], text[:0]
		}
	}
}

var errRoots = errors.New("another root, or more than one")

// A storeError is the body of an error answer of a store.
type storeError struct{ Code, Message, Region string }

// take sets the field for an element of XML.
func (e *storeError) take(path, text string) {
	switch path {
	case "Code":
		e.Code = text
	case "Message":
		e.Message = text
	case "Region":
		e.Region = text
	}
}

// failure returns the error of an answer that is an error under the status 200.
func (e *storeError) failure() *failure {
	return &failure{err: fmt.Errorf("the server fails: %s: %s", printable(e.Code), printable(e.Message)), code: e.Code, retry: true}
}
