// Package image writes and reads arrays as PNG images, row by row.
package image
