//go:build !linux

package pgtest

import "os/exec"

// launch starts a process and closes ended when it has ended.
func launch(cmd *exec.Cmd, ended chan<- struct{}) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		_ = cmd.Wait() // how it ended is in its log
		close(ended)
	}()
	return nil
}
