package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestManual has the page of every command and flag, and no instruction that man does not know.
func TestManual(t *testing.T) {
	page, err := command(t, "", "manual")
	if err != nil {
		t.Fatal(page)
	}
	for _, want := range []string{".SS serve", `.SS admin reset\-password`, `.B \-\-must\-change`, `.B tls.acme_domains`, "QUIPU_BASE_PATH"} {
		if !strings.Contains(page, want) {
			t.Errorf("the manual lacks %q", want)
		}
	}
	for _, not := range []string{"selftest-serve", "cpu-profile"} {
		if strings.Contains(strings.ReplaceAll(page, `\-`, "-"), not) {
			t.Errorf("the manual has %q, which is hidden", not)
		}
	}
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Log("mandoc is not there: the page is not linted")
		return
	}
	cmd := exec.CommandContext(t.Context(), mandoc, "-T", "lint", "-W", "error")
	cmd.Stdin = strings.NewReader(page)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("mandoc: %v\n%s", err, out)
	}
}

// TestCompletion completes in a real bash.
func TestCompletion(t *testing.T) {
	script, err := command(t, "", "completion", "bash")
	if err != nil {
		t.Fatal(script)
	}
	for _, tt := range []struct{ typed, want string }{
		{"quipu adm", "admin"},
		{"quipu admin res", "reset-password"},
		{"quipu admin reset-password --must", "--must-change"},
		{"quipu backup --", "--config --data --docs --with-secret-key --to --help"},
		{"quipu completion z", "zsh"},
		{"quipu selftest-s", ""},
	} {
		run := script + `
read -ra COMP_WORDS <<< "$1"; COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _quipu; echo "${COMPREPLY[@]}"`
		out, err := exec.CommandContext(t.Context(), "bash", "-c", run, "-", tt.typed).CombinedOutput() // our own script
		got := strings.Fields(string(out))
		for want := range strings.FieldsSeq(tt.want) {
			if !strings.Contains(" "+strings.Join(got, " ")+" ", " "+want+" ") {
				t.Errorf("%s: %v, %v; want %s", tt.typed, got, err, want)
			}
		}
		if tt.want == "" && len(got) > 0 {
			t.Errorf("%s: %v", tt.typed, got)
		}
	}
	for _, shell := range []string{"zsh", "fish"} {
		script, err := command(t, "", "completion", shell)
		if err != nil || !strings.Contains(script, "reset-password") {
			t.Errorf("%s: %v", shell, err)
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not there: its script is not run", shell)
			continue
		}
		if out, err := exec.CommandContext(t.Context(), path, "-n", "-c", script).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}
