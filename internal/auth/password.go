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
	"golang.org/x/text/unicode/norm"

	"quipu/internal/auth/leaked"
	"quipu/internal/store/docs"
)

const (
	// maxPassword bounds a password, in bytes: 64 characters of any script, and 256 of ASCII.
	maxPassword = 256
	// maxGiven bounds what is looked at of a password that someone gives: composing it may make it shorter.
	maxGiven = 4 * maxPassword
	// product is no password by itself.
	product = "quipu"
	// minName is how many letters a name has that must not be the password, runes.
	minName = 3
)

// PasswordPolicy says which passwords may be chosen: by length, by whether they are known to attackers and by whether
// they are the member's name, as NIST SP 800-63B-4 (3.1.1.2) and OWASP ASVS 5.0 (6.2) have it; there are no rules of composition. It
// is not applied at log-in, so that a stricter policy locks nobody out.
type PasswordPolicy struct {
	MinLength int // characters
}

// Weakness is why a password may not be chosen.
type Weakness string

// The weaknesses; NoWeakness is that of a password that may be chosen. The fault of a weak password has the code auth.password_
// and the weakness.
const (
	NoWeakness   Weakness = ""
	TooShort     Weakness = "short"
	TooLong      Weakness = "long"
	IsLeaked     Weakness = "leaked"   // one of the most used leaked passwords
	IsOwn        Weakness = "personal" // nothing but names or the e-mail address of the member, or the product's name
	weaknessCode          = "auth.password_"
)

// Text says what is wrong with a password, "" for NoWeakness.
func (p PasswordPolicy) Text(w Weakness) string {
	switch w {
	case TooShort:
		return fmt.Sprintf("Password must be at least %d characters long", p.MinLength)
	case TooLong:
		return fmt.Sprintf("Password must not be longer than %d bytes", maxPassword)
	case IsLeaked:
		return "Password is one of the most used leaked passwords: choose another"
	case IsOwn:
		return "Password must not be made of names, the e-mail address or the name of the product"
	case NoWeakness:
	}
	return ""
}

// Check returns what is wrong with a password of someone who has these names.
func (p PasswordPolicy) Check(password string, names ...string) Weakness {
	password = composed(password)
	switch {
	case len(password) > maxPassword:
		return TooLong
	case utf8.RuneCountInString(password) < p.MinLength:
		return TooShort
	case leaked.Contains(password) || leaked.Contains(strings.TrimSpace(password)):
		return IsLeaked
	case isName(password, append(names, product)):
		return IsOwn
	}
	return NoWeakness
}

// isName reports whether a password is made of nothing but names, one of them or several, without regard to case, space, digits and
// symbols.
func isName(password string, names []string) bool {
	var words []string
	for _, name := range names {
		if repeats(strings.TrimSpace(password), strings.TrimSpace(name)) {
			return true
		}
		if l := letters(name); utf8.RuneCountInString(l) >= minName {
			words = append(words, l)
		}
	}
	return madeOf(letters(password), words)
}

// repeats reports whether a text is another one, in any case, once or several times.
func repeats(text, part string) bool {
	if text == "" || part == "" {
		return false
	}
	return strings.EqualFold(text, strings.Repeat(part, max(1, len(text)/len(part))))
}

// madeOf reports whether a text that is not empty is a sequence of words.
func madeOf(text string, words []string) bool {
	reached := make([]bool, len(text)+1) // by words that end there
	reached[0] = true
	for i := range text {
		if !reached[i] {
			continue
		}
		for _, word := range words {
			if strings.HasPrefix(text[i:], word) {
				reached[i+len(word)] = true
			}
		}
	}
	return text != "" && reached[len(text)]
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, docs.SearchText(s))
}

// namesOf are the names that a member's password must not be.
func namesOf(full, username, email string) []string {
	local, _, _ := strings.Cut(email, "@")
	return append([]string{full, username, email, local}, strings.Fields(full)...)
}

// composed is the form in which passwords are hashed: what a keyboard sends as one character and another as two is the
// same (NIST SP 800-63B-4, 3.1.1.2).
func composed(password string) string { return norm.NFC.String(password) }

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
