package auth

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// maxPassword bounds what is hashed, in bytes.
const maxPassword = 256

// PasswordPolicy says which passwords may be chosen. It is not applied at
// log-in, so that a stricter policy locks nobody out.
type PasswordPolicy struct {
	MinLength int // characters
	Digit     bool
	Upper     bool
	Symbol    bool // anything that is neither letter, digit nor space
}

// Check returns what is wrong with a password, "" when it may be chosen.
func (p PasswordPolicy) Check(password string) string {
	var digit, upper, symbol bool
	for _, r := range password {
		switch {
		case unicode.IsDigit(r):
			digit = true
		case unicode.IsUpper(r):
			upper = true
		case !unicode.IsLetter(r) && !unicode.IsSpace(r):
			symbol = true
		}
	}
	switch {
	case utf8.RuneCountInString(password) < p.MinLength:
		return fmt.Sprintf("Password must be at least %d characters long", p.MinLength)
	case len(password) > maxPassword:
		return fmt.Sprintf("Password must not be longer than %d bytes", maxPassword)
	case p.Upper && !upper:
		return "Password must contain at least one uppercase letter"
	case p.Digit && !digit:
		return "Password must contain at least one number"
	case p.Symbol && !symbol:
		return "Password must contain at least one special character"
	}
	return ""
}

// Passwords hashes passwords and compares them with hashes.
type Passwords interface {
	// Hash returns a salted hash in PHC format.
	Hash(password string) (string, error)
	// Verify reports whether the password has the hash, and whether the hash was
	// made with other parameters than Hash uses now.
	Verify(hash, password string) (ok, stale bool, err error)
}

// HashParams are the costs of argon2id. The defaults are those that OWASP's
// Password Storage Cheat Sheet recommends.
type HashParams struct {
	Memory  uint32 // KiB
	Passes  uint32
	Threads uint8
}

const (
	saltLength = 16
	hashLength = 32
)

// Argon2 is Passwords by argon2id.
type Argon2 struct{ params HashParams }

// NewArgon2 returns Passwords with the given costs.
func NewArgon2(p HashParams) *Argon2 { return &Argon2{params: p} }

// Hash returns "$argon2id$v=19$m=…,t=…,p=…$salt$hash".
func (a *Argon2) Hash(password string) (string, error) {
	salt := make([]byte, saltLength)
	_, _ = rand.Read(salt) // never fails, see crypto/rand
	return phc(a.params, salt, derive(a.params, password, salt)), nil
}

// Impossible returns a hash that costs as much to verify as any other, and
// that no password is known to have.
func (a *Argon2) Impossible() string {
	random := make([]byte, saltLength+hashLength)
	_, _ = rand.Read(random) // never fails, see crypto/rand
	return phc(a.params, random[:saltLength], random[saltLength:])
}

// Verify compares in constant time.
func (a *Argon2) Verify(hash, password string) (ok, stale bool, err error) {
	params, salt, want, err := parsePHC(hash)
	if err != nil {
		return false, false, err
	}
	got := derive(params, password, salt)
	return subtle.ConstantTimeCompare(got, want) == 1, params != a.params, nil
}

func derive(p HashParams, password string, salt []byte) []byte {
	return argon2.IDKey([]byte(password), salt, p.Passes, p.Memory, p.Threads, hashLength)
}

func phc(p HashParams, salt, hash []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, p.Memory, p.Passes, p.Threads, b64.EncodeToString(salt), b64.EncodeToString(hash))
}

func parsePHC(s string) (p HashParams, salt, hash []byte, err error) {
	bad := func(what string) (HashParams, []byte, []byte, error) {
		return HashParams{}, nil, nil, fmt.Errorf("password hash: bad %s", what)
	}
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return bad("form")
	}
	if parts[2] != "v="+strconv.Itoa(argon2.Version) {
		return bad("version")
	}
	var n int
	if n, err = fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.Memory, &p.Passes, &p.Threads); err != nil || n != 3 {
		return bad("costs")
	}
	if p.Passes < 1 || p.Threads < 1 || p.Memory > 1<<20 || p.Passes > 64 {
		return bad("costs")
	}
	b64 := base64.RawStdEncoding
	if salt, err = b64.DecodeString(parts[4]); err != nil || len(salt) < 8 {
		return bad("salt")
	}
	if hash, err = b64.DecodeString(parts[5]); err != nil || len(hash) != hashLength {
		return bad("digest")
	}
	return p, salt, hash, nil
}
