// Package browser tests the page of npy view in Chromium. It has tests only, in a module of its own, so that nothing else
// needs a browser.
//
// A test writes arrays, starts the command on them, and compares the page, as text and as pixels, with values
// computed from the arrays. No page may write to the console: exceptions, failed requests and violations of the Content
// Security Policy arrive there too.
package browser
