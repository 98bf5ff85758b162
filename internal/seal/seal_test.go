package seal_test

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"quipu/internal/seal"
)

func parse(t *testing.T, text string) *seal.Keys {
	t.Helper()
	k, err := seal.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestSeal(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("0a", 32)
	k, other := parse(t, key), parse(t, seal.Generate())
	const text = "6991c75b024cb89cdc04efd26991c75b"
	sealed := k.Seal("api_key", "m1", text)
	// Golden: what is on disks must stay readable.
	if want := "Aa6wFhwapqvPpWeYJjeVA57V1DOiaL00tHg6YuUjmptK1nchHqcGFO31Hbs8mD4nL64NZof9eGYf8YLXSA"; sealed != want || k.Seal("api_key", "m1", text) != sealed {
		t.Errorf("sealed %q", sealed)
	}
	if got, err := k.Open("api_key", "m1", sealed); err != nil || got != text {
		t.Errorf("opened %q, %v", got, err)
	}
	if strings.Contains(sealed, text) {
		t.Error("the text is in what is sealed")
	}
	raw, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)-1] ^= 1
	for name, open := range map[string]func() (string, error){
		"another key":   func() (string, error) { return other.Open("api_key", "m1", sealed) },
		"another use":   func() (string, error) { return k.Open("token", "m1", sealed) },
		"another owner": func() (string, error) { return k.Open("api_key", "m2", sealed) },
		"a changed bit": func() (string, error) { return k.Open("api_key", "m1", base64.RawStdEncoding.EncodeToString(raw)) },
		"nothing":       func() (string, error) { return k.Open("api_key", "m1", "") },
		"the text":      func() (string, error) { return k.Open("api_key", "m1", text) },
	} {
		if got, err := open(); !errors.Is(err, seal.ErrWrongKey) || got != "" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	seen := map[string]bool{}
	for _, s := range []string{k.Seal("api_key", "m1", text), k.Seal("api_key", "m2", text), k.Seal("token", "m1", text), k.Seal("api_key", "m1", text+"x"), other.Seal("api_key", "m1", text)} {
		nonce := s[:17]
		if seen[nonce] {
			t.Error("a nonce serves twice")
		}
		seen[nonce] = true
	}
}

func TestDigest(t *testing.T) {
	t.Parallel()
	k, other := parse(t, strings.Repeat("0a", 32)), parse(t, strings.Repeat("0b", 32))
	d := k.Digest("token", "x")
	if want := "879875b3de749b24495b7030e0016ce4f68daad40bb96c4fefc441fb26f394b4"; d != want {
		t.Errorf("digest %s, want %s", d, want)
	}
	if len(d) != 64 || d != k.Digest("token", "x") || d == k.Digest("token", "y") || d == k.Digest("api_key", "x") || d == other.Digest("token", "x") {
		t.Errorf("digest %q", d)
	}
	if k.Check() == other.Check() {
		t.Error("two keys cannot be distinguished")
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	raw := make([]byte, 32)
	want := parse(t, hex.EncodeToString(raw)).Check()
	for _, text := range []string{" " + hex.EncodeToString(raw) + "\n", base64.StdEncoding.EncodeToString(raw), base64.RawStdEncoding.EncodeToString(raw)} {
		if got := parse(t, text).Check(); got != want {
			t.Errorf("%q is another key", text)
		}
	}
	for _, text := range []string{"", "secret", strings.Repeat("0", 62), strings.Repeat("0", 66), base64.StdEncoding.EncodeToString(raw[:31])} {
		if _, err := seal.Parse(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
