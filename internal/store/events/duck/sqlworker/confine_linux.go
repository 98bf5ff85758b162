//go:build linux && (amd64 || arm64)

package sqlworker

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// room is what the process takes beside the database's memory: its program, Go's heap with a part of the result, stacks. Bytes.
const room = 384 << 20

// bound limits what the process may take, whatever the database counts, and closes what it inherited.
func bound(memory int64, seconds int) error {
	if fds, err := os.ReadDir("/proc/self/fd"); err == nil {
		for _, fd := range fds {
			n, err := strconv.Atoi(fd.Name())
			if err != nil || n <= 2 {
				continue
			}
			// What the runtime opened for itself is no file; everything else is a file or a connection of the server.
			if to, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil && to != "" && to[0] == '/' || err == nil && len(to) > 7 && to[:7] == "socket:" {
				_ = unix.Close(n) // nothing else to do about it
			}
		}
	}
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // first to go when the machine has no more memory
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, 10)                  // behind ingestion
	cpu := uint64(seconds) * uint64(runtime.NumCPU())               // both positive
	data := uint64(memory) + room                                   // positive
	for _, l := range []struct {
		what int
		most uint64
	}{
		{unix.RLIMIT_CORE, 0}, {unix.RLIMIT_FSIZE, 0}, {unix.RLIMIT_NOFILE, 64}, {unix.RLIMIT_CPU, cpu}, {unix.RLIMIT_DATA, data}, {unix.RLIMIT_MEMLOCK, 0},
	} {
		if err := unix.Setrlimit(l.what, &unix.Rlimit{Cur: l.most, Max: l.most}); err != nil {
			return fmt.Errorf("limit the process: %w", err)
		}
	}
	return nil
}

// permitted are the system calls that the process may still make: on memory, threads, time, and open files. None opens a file, a
// connection or a process.
var permitted = append([]uintptr{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_CLOSE, unix.SYS_FSTAT, unix.SYS_LSEEK,
	unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MREMAP, unix.SYS_MADVISE, unix.SYS_BRK, unix.SYS_MINCORE,
	unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_MEMBARRIER,
	unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
	unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_RESTART_SYSCALL, unix.SYS_GETRANDOM, unix.SYS_GETRUSAGE, unix.SYS_SYSINFO,
	unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_CREATE1, unix.SYS_EVENTFD2, unix.SYS_PIPE2, unix.SYS_GETCPU,
}, permittedHere...)

// confine leaves the process, with all its threads, nothing but permitted. Other calls fail.
func confine() error {
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		bits  = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		ret   = unix.BPF_RET | unix.BPF_K
		// Offsets in what a filter sees of a call: its number, the architecture, the low half of the first argument.
		number, arch, first = 0, 4, 16
		allow               = 0x7fff0000
		deny                = 0x00050000 | uint32(unix.EPERM)
		missing             = 0x00050000 | uint32(unix.ENOSYS)
	)
	f := []unix.SockFilter{
		{Code: load, K: arch},
		{Code: equal, Jt: 1, K: auditArch},
		{Code: ret, K: deny},
		{Code: load, K: number},
	}
	for _, n := range permitted {
		f = append(f, unix.SockFilter{Code: equal, Jf: 1, K: uint32(n)}, unix.SockFilter{Code: ret, K: allow}) // small numbers
	}
	f = append(f,
		unix.SockFilter{Code: equal, Jf: 4, K: unix.SYS_TGKILL}, // signals to itself only, as Go's scheduler sends them
		unix.SockFilter{Code: load, K: first},
		unix.SockFilter{Code: equal, Jf: 1, K: uint32(os.Getpid())}, // not negative
		unix.SockFilter{Code: ret, K: allow},
		unix.SockFilter{Code: ret, K: deny},
		unix.SockFilter{Code: equal, Jf: 1, K: unix.SYS_CLONE3}, unix.SockFilter{Code: ret, K: missing}, // its flags cannot be seen; clone is taken instead
		unix.SockFilter{Code: equal, Jf: 3, K: unix.SYS_CLONE}, // threads only
		unix.SockFilter{Code: load, K: first},
		unix.SockFilter{Code: bits, Jf: 1, K: unix.CLONE_THREAD}, unix.SockFilter{Code: ret, K: allow},
		unix.SockFilter{Code: ret, K: deny},
	)
	prog := unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]} // few
	runtime.LockOSThread()                                     // the filter needs what is set first, which is the thread's
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("confine the process: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("confine the process: %w", err)
	}
	thread, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 && !errors.Is(errno, unix.ENOSYS) && !errors.Is(errno, unix.EINVAL) {
		return fmt.Errorf("confine the process: %w", errno)
	}
	if errno == 0 && thread != 0 {
		return fmt.Errorf("confine the process: thread %d cannot be", thread)
	}
	return nil // a kernel without filters leaves what the database refuses by itself
}
