package leaked_test

import (
	"fmt"
	"os"
	"testing"

	"quipu/internal/auth/leaked"
)

func TestContains(t *testing.T) {
	for password, want := range map[string]bool{
		"password": true, "PassWord": true, "12345678": true, "password1": true, "Password1!": true, "qwertyuiop": true, "iloveyou": true,
		"trustno1": true, "12345678901": true, "": false, "correct horse battery staple": false, "Correct-horse-1": false, "пароль-не-из-списка": false,
		"password\x00": false,
	} {
		if got := leaked.Contains(password); got != want {
			t.Errorf("%q: got %t, want %t", password, got, want)
		}
	}
}

// TestTable checks the embedded table: its size, its order, and that making it again from nothing but itself would do the same.
func TestTable(t *testing.T) {
	raw, err := os.ReadFile("list.bin")
	if err != nil {
		t.Fatal(err)
	}
	if n := leaked.Len(); n != 100_000 || len(raw) != 12+5*n || string(raw[:8]) != "leaked 1" {
		t.Fatalf("%d entries in %d bytes, beginning with %q", n, len(raw), raw[:8])
	}
	for i := 17; i < len(raw); i += 5 {
		if string(raw[i-5:i]) >= string(raw[i:i+5]) {
			t.Fatalf("entry at %d is not above the one before", i)
		}
	}
	made := leaked.Table([]string{"b", "A", "a"})
	if len(made) != 12+2*5 || made[11] != 2 {
		t.Errorf("a table of two passwords has %d bytes and counts %d", len(made), made[11])
	}
}

// TestFalsePositives measures how many passwords that nobody has are taken for leaked: 0.03 in 300,000 are expected.
func TestFalsePositives(t *testing.T) {
	found := 0
	for i := range 300_000 {
		if leaked.Contains(fmt.Sprintf("kaXq-%d-vorpal", i)) {
			found++
		}
	}
	if found > 1 {
		t.Errorf("%d of 300,000 made-up passwords are taken for leaked", found)
	}
}
