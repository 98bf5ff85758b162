package background

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// Enter has the calling goroutine run on a thread of its own behind others until it ends. The thread ends with it, so goroutines that do it
// should have work of a millisecond or more.
func Enter() {
	runtime.LockOSThread()
	now, err := unix.Getpriority(unix.PRIO_PROCESS, 0) // of this thread, as the system call has it: 20 less the niceness
	if err == nil {
		_ = unix.Setpriority(unix.PRIO_PROCESS, 0, min(most, 20-now+niceness)) // where that is not allowed, it is scheduled as all others
	}
}

// most is the largest niceness there is.
const most = 19
