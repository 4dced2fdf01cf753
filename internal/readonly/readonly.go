// Package readonly tells programs that only look at containers, such as the page in a browser, from all others. In a program
// that is built with the tag npyread, containers have no writers, and text has no formats but tables.
package readonly
