package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net/netip"
	"strings"
)

// setupLetters are those of a setup code, of which none is taken for another (Crockford's base 32).
const setupLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// setupSize is how many letters a setup code has: 60 bits.
const setupSize = 12

// NewSetupCode makes the code that proves to be who started the server, and returns it as it is to be shown, in groups of four. It
// is kept in memory only; the one before ends.
func (s *Service) NewSetupCode() string {
	b := make([]byte, setupSize)
	_, _ = rand.Read(b) // never fails, see crypto/rand
	for i, v := range b {
		b[i] = setupLetters[int(v)%len(setupLetters)]
	}
	sum := sha256.Sum256(b)
	s.setup.Store(&sum)
	return string(b[:4]) + "-" + string(b[4:8]) + "-" + string(b[8:])
}

// CheckSetupCode reports whether someone at an address has the setup code. Wrong ones count as failures of the address,
// as wrong passwords do, and use up its attempts to sign in. The right one is right whatever came before: it has too many letters to be guessed, and
// strangers behind the same proxy must not keep it from who has it. Small letters, space and hyphens do not matter. Without a code
// none is right. Faults: auth.throttle_failed.
func (s *Service) CheckSetupCode(ctx context.Context, code string, addr netip.Addr) (bool, error) {
	if len(code) > maxLogin {
		code = ""
	}
	sum, want := sha256.Sum256([]byte(plainCode(code))), s.setup.Load()
	if want != nil && subtle.ConstantTimeCompare(sum[:], want[:]) == 1 {
		return true, nil
	}
	b := budget{address: addressState(addr)}
	if exhausted, err := s.exhausted(ctx, b); err != nil || exhausted {
		return false, err
	}
	return false, s.failed(context.WithoutCancel(ctx), b, true)
}

// plainCode reads a code as people type it.
func plainCode(code string) string {
	return strings.NewReplacer("-", "", " ", "", "\t", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(code))
}
