package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// story is a program that drives an SDK. It stops at each word it says on standard output, a
// line that begins with "> ", until the test answers; so test and SDK meet without waiting for time.
type story struct {
	t     *testing.T
	name  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	words chan string
	out   bytes.Buffer // everything printed; read after the program ended
	read  chan struct{}
}

// begin starts a Node.js script of sdk/.
func begin(t *testing.T, script string, arguments ...string) *story {
	t.Helper()
	if _, err := os.Stat("node_modules"); err != nil {
		t.Fatalf("the SDKs are not installed (make test does it): %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	s := &story{t: t, name: script, words: make(chan string, 16), read: make(chan struct{})}
	s.cmd = exec.CommandContext(ctx, "node", append([]string{"sdk/" + script}, arguments...)...) // our own scripts
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.in, s.cmd.Stderr = in, s.cmd.Stdout
	if err := s.cmd.Start(); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	t.Cleanup(cancel)
	go func() {
		defer close(s.read)
		defer close(s.words)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			line := lines.Text()
			s.out.WriteString(line + "\n")
			if word, ok := strings.CutPrefix(line, "> "); ok {
				s.words <- word
			}
		}
	}()
	return s
}

// hears waits until the script says a word. The script goes on when the test answers.
func (s *story) hears(word string) {
	s.t.Helper()
	got, ok := <-s.words
	if !ok {
		s.fail("ended before it said " + word)
	}
	if got != word {
		s.t.Fatalf("%s says %q, want %q", s.name, got, word)
	}
}

// answer lets the script go on.
func (s *story) answer() {
	s.t.Helper()
	if _, err := io.WriteString(s.in, "\n"); err != nil {
		s.fail("left: " + err.Error())
	}
}

// ends waits until the script ended well.
func (s *story) ends() {
	s.t.Helper()
	if word, ok := <-s.words; ok {
		s.t.Fatalf("%s says %q, want its end", s.name, word)
	}
	<-s.read
	if err := s.cmd.Wait(); err != nil {
		s.t.Fatalf("%s: %v\n%s", s.name, err, s.out.String())
	}
}

func (s *story) fail(what string) {
	s.t.Helper()
	<-s.read
	s.t.Fatalf("%s %s: %v\n%s", s.name, what, s.cmd.Wait(), s.out.String())
}
