// Package python2 translates the names of Python's library between Python 2 and 3. Python 3 moved and renamed much of it,
// and its pickle module translates the names in pickles below protocol 3, with the tables of module _compat_pickle, which
// are copied here. Every table is built on first use: most programs need none, and would start later.
package python2
