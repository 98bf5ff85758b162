//go:build linux

package sqlworker

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// permittedHere are calls that only some machines have.
var permittedHere = []uintptr{unix.SYS_EPOLL_WAIT, unix.SYS_ARCH_PRCTL, unix.SYS_TIME}
