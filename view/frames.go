package view

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/npygo/npy/internal/diag"
)

// AllowFrames lets pages of some origins show this page in a frame, such as "http://localhost:8888" for a notebook. An origin is
// a scheme, a host and perhaps a port, without a path; "https://*.example.org" stands for all hosts below a name, "http://localhost:*"
// for all ports, and "vscode-webview:" for a scheme that has no hosts. Browsers ask it of every page around the frame, so a notebook
// inside of another page needs both. Without origins no page may.
//
// It is called before the first request. An origin that is none is an error, and then nothing changes.
func (h *Handler) AllowFrames(origins ...string) error {
	for _, o := range origins {
		if err := checkOrigin(o); err != nil {
			return err
		}
	}
	h.frames = slices.Clone(origins)
	return nil
}

// Forms of origins. Nothing else may get into the policy, whose parts end with spaces, commas and semicolons.
var (
	webOrigin = sync.OnceValue(func() *regexp.Regexp {
		const label = `[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?`
		return regexp.MustCompile(`^https?://(\*\.)?(` + label + `\.)*` + label + `(:(\d{1,5}|\*))?$`)
	})
	ownOrigin   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9+.-]*:(//[A-Za-z0-9.-]+)?$`) })
	webSchemes  = map[string]bool{"http:": true, "https:": true}
	bareSchemes = map[string]bool{"data:": true, "blob:": true, "file:": true, "filesystem:": true, "javascript:": true, "about:": true}
)

// checkOrigin returns an error for a text that is no origin, or one that anybody can have.
func checkOrigin(o string) error {
	scheme, _, _ := strings.Cut(o, ":")
	switch scheme += ":"; {
	case bareSchemes[scheme]:
		return diag.Errorf("view", "pages of %s belong to anybody, so they may not frame this one", scheme)
	case webOrigin().MatchString(o), !webSchemes[scheme] && ownOrigin().MatchString(o):
		return nil
	}
	if u, err := url.Parse(o); err == nil && webSchemes[u.Scheme+":"] && webOrigin().MatchString(u.Scheme+"://"+u.Host) {
		return diag.Errorf("view", "%q has more than an origin: give %s://%s", o, u.Scheme, u.Host)
	}
	return diag.Errorf("view", "%q is no origin: give a scheme and a host, such as http://localhost:8888", o)
}

// framed changes the headers of an answer where pages of others may frame it.
func (h *Handler) framed(header http.Header) {
	if len(h.frames) == 0 {
		return
	}
	header.Set("Content-Security-Policy", strings.Replace(policy, nobody, "frame-ancestors 'self' "+strings.Join(h.frames, " "), 1))
	header.Set("Cross-Origin-Resource-Policy", "cross-origin") // or a page that isolates itself cannot show it
}

// leads reports whether a request of another page only leads its user here: by a link, or by a frame that AllowFrames allows.
func (h *Handler) leads(r *http.Request) bool {
	to := r.Header.Get("Sec-Fetch-Dest")
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" && (to == "document" || len(h.frames) > 0 && (to == "iframe" || to == "frame"))
}
