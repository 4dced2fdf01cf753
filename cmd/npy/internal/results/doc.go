// Package results prints what stats, diff and pickle found, as text and as JSON.
package results
