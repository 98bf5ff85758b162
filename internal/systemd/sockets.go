package systemd

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// firstSocket is the file descriptor of the first socket that a manager hands over.
const firstSocket = 3

// Socket is one that the manager listens on.
type Socket struct {
	// Name is FileDescriptorName= of the socket unit, or the name of the unit.
	Name     string
	Listener net.Listener
}

// Sockets takes over the sockets of LISTEN_FDS, in the order of the unit; none if LISTEN_PID is another process.
func Sockets(env Environment) ([]Socket, error) { return socketsFrom(firstSocket, env) }

func socketsFrom(first int, env Environment) (out []Socket, err error) {
	pid, count, names := env.take("LISTEN_PID"), env.take("LISTEN_FDS"), env.take("LISTEN_FDNAMES")
	if pid == "" || pid != strconv.Itoa(env.Pid()) {
		return nil, nil
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 0 || n > 1000 {
		return nil, fmt.Errorf("LISTEN_FDS: %q is not a number of sockets", count)
	}
	defer func() {
		if err != nil {
			for _, s := range out {
				_ = s.Listener.Close() // nothing was accepted
			}
			out = nil
		}
	}()
	labels := strings.Split(names, ":")
	for i := range n {
		fd, name := first+i, ""
		if i < len(labels) {
			name = labels[i]
		}
		unix.CloseOnExec(fd)
		f := os.NewFile(uintptr(fd), name)
		ln, err := net.FileListener(f) // of a copy of the descriptor
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return out, fmt.Errorf("socket %d of the service manager (%s) must be a listening stream socket: %w", i+1, name, err)
		}
		if u, ok := ln.(*net.UnixListener); ok {
			u.SetUnlinkOnClose(false) // its file is the manager's
		}
		out = append(out, Socket{Name: name, Listener: ln})
	}
	return out, nil
}
