package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quipu/internal/testkit"
	"quipu/internal/testkit/need"
)

// TestSendData runs the examples of docs/how-to/send-data.md, each as a device of its own, and reads the purchase of each back. Languages that are not
// installed are skipped.
func TestSendData(t *testing.T) { //nolint:tparallel // compilers one after the other
	t.Parallel()
	text, err := os.ReadFile("../docs/how-to/send-data.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)\n## ([A-Za-z]+)\n\n```\\w+\n(.*?)```\n").FindAllStringSubmatch(string(text), -1)
	ways := map[string]struct {
		file     string
		commands [][]string
	}{
		"curl": {"send.sh", [][]string{{"bash", "send.sh"}}}, "JavaScript": {"send.mjs", [][]string{{"node", "send.mjs"}}},
		"Python": {"send.py", [][]string{{"python3", "send.py"}}}, "Go": {"main.go", [][]string{{"go", "run", "main.go"}}},
		"Java": {"Send.java", [][]string{{"javac", "Send.java"}, {"java", "Send"}}},
	}
	s := testkit.New(t)
	found := 0
	for _, block := range blocks {
		way, ok := ways[block[1]]
		if !ok {
			continue
		}
		found++
		t.Run(block[1], func(t *testing.T) {
			a := s.CreateApp(block[1], "UTC")
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, way.file), []byte(block[2]), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, command := range way.commands {
				need.Program(t, command[0])
				cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "QUIPU_URL="+s.URL(), "APP_KEY="+a.Key, "DEVICE_ID=device of "+block[1])
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			s.Flush()
			if got := s.Admin("/o/analytics/events", "app_id", a.ID, "period", "7days"); !strings.Contains(got, `"_id":"purchase","c":1,"s":9.99`) {
				t.Errorf("the purchase has not arrived: %s", got)
			}
		})
	}
	if found != len(ways) {
		t.Errorf("the page has %d of %d examples", found, len(ways))
	}
}

// TestMoveFromCountly creates an app with a key that clients have, by the command of docs/how-to/migrate-from-countly.md.
func TestMoveFromCountly(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/how-to/migrate-from-countly.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(string(text))
	if block == nil {
		t.Fatal("the page has no command")
	}
	const key = "0123456789abcdef0123456789abcdef01234567"
	s := testkit.New(t)
	cmd := exec.CommandContext(t.Context(), "bash", "-c", strings.ReplaceAll(block[1], "KEY OF THE APP IN COUNTLY", key))
	cmd.Env = append(os.Environ(), "QUIPU_URL="+s.URL(), "API_KEY="+s.Key)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if r := s.Post("/i", "app_key", key, "device_id", "d", "begin_session", "1"); r.Body != `{"result":"Success"}` {
		t.Errorf("a client with its old key: %d %s", r.Status, r.Body)
	}
}
