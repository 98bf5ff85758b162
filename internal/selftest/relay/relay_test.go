package relay_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"quipu/internal/selftest/relay"
)

// echo says again what it hears, and notes it.
func echo(t *testing.T) (address string, heard chan string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	heard = make(chan string, 100)
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				b := make([]byte, 1)
				for {
					if _, err := io.ReadFull(c, b); err != nil {
						return
					}
					heard <- string(b)
					if _, err := c.Write(b); err != nil {
						return
					}
				}
			}()
		}
	}()
	return ln.Addr().String(), heard
}

func say(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
}

const (
	patience = 30 * time.Second       // for what has to come, on a busy machine, too
	moment   = 150 * time.Millisecond // for what must not come
)

// hear reads a byte, or reports that none came in time.
func hear(t *testing.T, c net.Conn, limit time.Duration) (string, error) {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(limit)); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 1)
	_, err := io.ReadFull(c, b)
	return string(b), err
}

// TestRelay holds back either direction, lets it come later, slows down, breaks and refuses.
func TestRelay(t *testing.T) {
	server, heard := echo(t)
	r, err := relay.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	dial := relay.Dial(r.Addr())
	c, err := dial(t.Context(), "tcp", server)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	want := func(text string) {
		t.Helper()
		if got, err := hear(t, c, patience); err != nil || got != text {
			t.Fatalf("heard %q, %v, want %q", got, err, text)
		}
	}
	silent := func() {
		t.Helper()
		if got, err := hear(t, c, moment); err == nil {
			t.Fatalf("heard %q, want nothing", got)
		}
	}
	say(t, c, "a")
	want("a")
	<-heard
	if asked, answered := r.Passed(); asked != 1 || answered != 1 {
		t.Errorf("passed %d and %d bytes, want 1 and 1", asked, answered)
	}

	r.Set(relay.Fault{Asks: true})
	say(t, c, "b")
	silent()
	if len(heard) > 0 {
		t.Fatal("the server heard what was held back")
	}
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if c, err := dial(short, "tcp", server); err == nil {
		_ = c.Close()
		t.Error("a connection is there though nothing arrives")
	}
	r.Set(relay.Fault{})
	want("b") // late
	<-heard

	r.Set(relay.Fault{Answers: true})
	say(t, c, "c")
	if got := <-heard; got != "c" {
		t.Fatalf("the server heard %q", got)
	}
	silent()
	r.Reset()
	r.Set(relay.Fault{})
	if got, err := hear(t, c, patience); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("heard %q, %v over a connection that was reset", got, err)
	}

	if c, err = dial(t.Context(), "tcp", server); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	r.Set(relay.Fault{Delay: 100 * time.Millisecond})
	began := time.Now()
	say(t, c, "d")
	want("d")
	if took := time.Since(began); took < 200*time.Millisecond {
		t.Errorf("there and back took %v, want 100 ms each way", took)
	}
	r.Set(relay.Fault{Refuse: true})
	if c, err := dial(t.Context(), "tcp", server); err == nil {
		_ = c.Close()
		t.Error("a connection is not refused")
	}
}

// TestNoServer has a relay report that a server takes no connection.
func TestNoServer(t *testing.T) {
	r, err := relay.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	server, _ := echo(t)
	held, err := net.Dial("tcp", server) // whose own port nobody else can listen on
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Close() }()
	if c, err := relay.Dial(r.Addr())(t.Context(), "tcp", held.LocalAddr().String()); err == nil {
		_ = c.Close()
		t.Error("a connection to nobody")
	}
}
