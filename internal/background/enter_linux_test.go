package background_test

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"quipu/internal/background"
)

// nice returns the niceness of the calling goroutine's thread.
func nice(t *testing.T) int {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	n, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
	if err != nil {
		t.Error(err)
	}
	return 20 - n // as the system call returns it
}

// TestEnter looks at the niceness of a goroutine in the background, of workers, and of others while these run.
func TestEnter(t *testing.T) {
	usual := nice(t)
	inside, others := make(chan int), make(chan struct{})
	go func() {
		background.Enter()
		inside <- nice(t)
		<-others
	}()
	got := <-inside
	if want := min(19, usual+5); got != want {
		t.Errorf("a goroutine in the background has niceness %d, want %d", got, want)
	}
	for range 20 {
		done := make(chan int)
		go func() { done <- nice(t) }()
		if n := <-done; n != usual {
			t.Errorf("another goroutine has niceness %d, want %d", n, usual)
		}
	}
	close(others)
	err := background.Each(2, 8, func(int) error {
		if n := nice(t); n != got {
			t.Errorf("a worker has niceness %d, want %d", n, got)
		}
		return nil
	})
	if err != nil || nice(t) != usual {
		t.Errorf("afterwards: niceness %d, %v", nice(t), err)
	}
}
