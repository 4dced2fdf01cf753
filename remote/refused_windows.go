package remote

import "golang.org/x/sys/windows"

// errRefused says that no program waits at an address.
const errRefused = windows.WSAECONNREFUSED
