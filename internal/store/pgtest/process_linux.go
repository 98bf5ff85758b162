package pgtest

import (
	"os/exec"
	"runtime"
	"syscall"
)

// launch starts a process from a thread that lives as long as it, because the kernel ends the process with
// the thread, and closes ended when it has ended. So the server does not outlive the tests, however they end.
func launch(cmd *exec.Cmd, ended chan<- struct{}) error {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended is in its log
			close(ended)
		}
		runtime.UnlockOSThread()
	}()
	return <-started
}
