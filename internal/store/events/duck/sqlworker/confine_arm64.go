//go:build linux

package sqlworker

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// permittedHere are calls that only some machines have.
var permittedHere []uintptr
