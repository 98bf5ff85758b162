package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"quipu/internal/testkit/need"
)

// blocksOf returns the blocks of a language on a page of the documentation, below a heading if that is not "".
func blocksOf(t *testing.T, page, heading, language string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../..", page))
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	if heading != "" {
		_, rest, ok := strings.Cut(text, "\n## "+heading+"\n")
		if !ok {
			t.Fatalf("%s has no heading %q", page, heading)
		}
		text, _, _ = strings.Cut(rest, "\n## ")
	}
	var out []string
	for _, m := range regexp.MustCompile("(?s)(?:^|\n)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	if len(out) == 0 {
		t.Fatalf("%s has no block of %s below %q", page, language, heading)
	}
	return out
}

// replaced is a text with others in place of what a reader puts in; it has each of them.
func replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%q is not in\n%s", pairs[i], text)
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// shell runs a script by bash, in which quipu is this program.
func shell(t *testing.T, script string, env ...string) string {
	t.Helper()
	need.Program(t, "curl")
	need.Program(t, "jq")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "quipu"), []byte("#!/bin/sh\n"+asQuipu+"=1 exec '"+os.Args[0]+"' \"$@\"\n"), 0o700); err != nil { // it is run
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	cmd.Env = append(append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "HOME="+dir), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return string(out)
}

// TestUseTheAPI goes through docs/how-to/use-the-api.md: its commands, its calls by curl, its token, and its programs in Go and TypeScript, as they stand
// there.
func TestUseTheAPI(t *testing.T) {
	const page = "docs/how-to/use-the-api.md"
	p := start(t, filepath.Join(t.TempDir(), "data"), admin...)
	_, key := p.get("/api-key", nil)
	credentials := replaced(t, blocksOf(t, page, "Credentials", "sh")[0], "https://quipu.example", p.url, "USERNAME", "root:Correct-horse-1") // for which curl asks

	t.Run("commands", func(t *testing.T) {
		script := replaced(t, blocksOf(t, page, "Commands", "sh")[0], "quipu tail --app Shop", "timeout 2 quipu tail --app Shop || true") // it does not end
		out := shell(t, credentials+script)
		for _, want := range []string{"Europe/Berlin", `"totals": {}`} {
			if !strings.Contains(out, want) {
				t.Errorf("no %s in\n%s", want, out)
			}
		}
	})
	t.Run("curl", func(t *testing.T) {
		out := shell(t, credentials+blocksOf(t, page, "curl", "sh")[0]+blocksOf(t, page, "A token", "sh")[0])
		for _, want := range []string{
			`"outcome":"accepted","items":[{"item":"event","index":0,"outcome":"accepted"}]`, `"c":1,"s":9.99`, "Quipu-Error: access.unknown_app",
			`{"type":"urn:quipu:fault:access.unknown_app","title":"Unauthorized","status":401,`, "d-1\n", `{"result":"`,
		} {
			if !strings.Contains(out, want) {
				t.Errorf("no %s in\n%s", want, out)
			}
		}
	})
	t.Run("curl without a server", func(t *testing.T) { // the loop over pages ends
		_, loop, _ := strings.Cut(blocksOf(t, page, "curl", "sh")[0], "cursor=start\n")
		shell(t, "cursor=start\n"+loop, "QUIPU_SERVER=http://127.0.0.1:1", "auth=x", "APP_ID=x")
	})
	t.Run("Go", func(t *testing.T) {
		need.Program(t, "go")
		program := "package main\n\nimport (\n\"context\"\n\"errors\"\n\"fmt\"\n\"log\"\n\"os\"\n\"time\"\n\n\"quipu/client\"\n)\n\nfunc walk(ctx context.Context, uuid string) error {\n" +
			replaced(t, blocksOf(t, page, "Go", "go")[0], "https://quipu.example", p.url) +
			"fmt.Println(ledger.Totals[\"event\"][\"accepted\"], stored.Receipt[0].Outcome)\nreturn err\n}\n\nfunc main() {\nif err := walk(context.Background(), \"k-1\"); err != nil {\nlog.Fatal(err)\n}\n}\n"
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "go", "run", file) // the page's program
		cmd.Env = append(os.Environ(), "QUIPU_KEY="+key)
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "1 accepted\n" {
			t.Errorf("%v\n%s\n%s", err, out, program)
		}
	})
	t.Run("TypeScript", func(t *testing.T) {
		need.Program(t, "node")
		compiler := need.File(t, "../../ui/node_modules/typescript/bin/tsc", "npm ci in ui")
		dir := t.TempDir()
		module := filepath.Join(dir, "node_modules", "quipu-client")
		if err := os.MkdirAll(module, 0o700); err != nil {
			t.Fatal(err)
		}
		about, err := os.ReadFile("../../clients/typescript/package.json")
		if err != nil {
			t.Fatal(err)
		}
		if out, err := exec.CommandContext(t.Context(), "node", compiler, "--project", "../../clients/typescript", "--outDir", filepath.Join(module, "dist")).CombinedOutput(); err != nil { // our own
			t.Fatalf("compile: %v\n%s", err, out)
		}
		for path, text := range map[string]string{
			filepath.Join(module, "package.json"): string(about),
			filepath.Join(dir, "walk.mjs"):        replaced(t, blocksOf(t, page, "TypeScript and JavaScript", "ts")[0], "https://quipu.example", p.url),
		} {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "node", "walk.mjs")
		cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), "QUIPU_KEY="+key), os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		said := ""
		for lines := bufio.NewScanner(out); !strings.Contains(said, "entries: ") && lines.Scan(); { // then it follows what comes
			said += lines.Text() + "\n"
		}
		if !strings.Contains(said, "accepted") || !strings.Contains(said, "entries: ") {
			t.Errorf("it said\n%s", said)
		}
		cancel()
		_ = cmd.Wait()
	})
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

// TestFirstEvent sends the first event as docs/operations/install.md and README say, and reads it back.
func TestFirstEvent(t *testing.T) {
	p := start(t, filepath.Join(t.TempDir(), "data"), admin...)
	block := replaced(t, blocksOf(t, "docs/operations/install.md", "The first event", "sh")[0], "https://analytics.example.org", p.url, "USERNAME", "root:Correct-horse-1")
	lines := strings.SplitAfter(block, "\n")
	var app struct {
		ID  string `json:"_id"`
		Key string `json:"key"`
	}
	if out := shell(t, "exec 2>/dev/null\n"+strings.Join(lines[:3], "")); json.Unmarshal([]byte(out), &app) != nil || app.Key == "" {
		t.Fatalf("the app is not created: %s", out)
	}
	// until repeats what a reader would paste again, for figures come within a second.
	until := func(script, want string) {
		t.Helper()
		var out string
		for range 100 {
			if out = shell(t, script); strings.Contains(out, want) {
				return
			}
			time.Sleep(50 * time.Millisecond) // another process works
		}
		t.Errorf("no %s in %s", want, out)
	}
	fill := strings.NewReplacer("APP_ID", app.ID, "APP_KEY", app.Key)
	shell(t, lines[0]+fill.Replace(lines[3]))
	until(lines[0]+lines[1]+fill.Replace(lines[4]), `{"all":[{"_id":"hello","c":1,`)

	quick := replaced(t, strings.Join(blocksOf(t, "README.md", "Quick start", "sh")[1:], ""), "http://127.0.0.1:8080", p.url, "APP_KEY=…", "APP_KEY="+app.Key, "APP_ID=…", "APP_ID="+app.ID, "USERNAME:PASSWORD", "root:Correct-horse-1")
	until(quick, `{"all":[{"_id":"hello","c":`)
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

// TestReadme has every command and every key of the configuration.
func TestReadme(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(b)
	manual, err := command(t, "", "manual")
	if err != nil {
		t.Fatal(manual)
	}
	commands := regexp.MustCompile(`(?m)^\.SS (.*)$`).FindAllStringSubmatch(manual, -1)
	if len(commands) < 20 {
		t.Fatalf("the manual has %d commands", len(commands))
	}
	for _, m := range commands {
		name := strings.ReplaceAll(m[1], `\-`, "-")
		if name == "backup write" { // what backup alone does
			name = "backup"
		}
		if name == "query read" { // what query alone does
			name = "query"
		}
		if !regexp.MustCompile("`quipu " + regexp.QuoteMeta(name) + "[` ]").MatchString(readme) {
			t.Errorf("README lacks the command %s", name)
		}
	}
	shown, err := command(t, "", "config", "show")
	if err != nil {
		t.Fatal(shown)
	}
	for line := range strings.Lines(shown) {
		if key, _, ok := strings.Cut(line, " = "); ok && !strings.Contains(readme, "`"+key+"`") {
			t.Errorf("README lacks the key %s", key)
		}
	}
}

// TestUnit has systemd look at the units of the package: it knows everything in them, and exposes the service little.
func TestUnit(t *testing.T) {
	analyze := need.Program(t, "systemd-analyze")
	out, err := exec.CommandContext(t.Context(), analyze, "security", "--offline=true", "--threshold=20", "../../packaging/quipu.service").CombinedOutput() // found above
	if err != nil {
		t.Errorf("an exposure of more than 2: %v\n%s", err, out)
	}
	dir := t.TempDir()
	for _, name := range []string{"quipu.service", "quipu.socket", "quipu-redirect.socket"} {
		b, err := os.ReadFile(filepath.Join("../../packaging", name))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(b), "/usr/bin/quipu", "/bin/true")
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// What it says of the units of this machine is not ours.
	said, _ := exec.CommandContext(t.Context(), analyze, "verify", "--man=false", filepath.Join(dir, "quipu.service"), filepath.Join(dir, "quipu.socket"), filepath.Join(dir, "quipu-redirect.socket")).CombinedOutput() // found above
	for line := range strings.Lines(string(said)) {
		if strings.Contains(line, "quipu") {
			t.Error(strings.TrimSpace(line))
		}
	}
}
