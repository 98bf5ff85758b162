// Package seal encrypts short secrets that have to be shown again, and makes the digests by which they are
// found, under one key of the server. docs/format/docs.md draws what it writes.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// KeySize is the length of a key, in bytes.
const KeySize = 32

// form is the first byte of what Seal makes.
const form = 1

// ErrWrongKey says that a text was sealed under another key, for something else, or is damaged.
var ErrWrongKey = errors.New("seal: wrong key, or damaged")

// Keys are what is derived from one key. They are safe for concurrent use.
type Keys struct {
	aead   cipher.AEAD
	nonces []byte
	finder []byte
}

// Generate returns a new random key as text, as Parse reads it.
func Generate() string {
	b := make([]byte, KeySize)
	_, _ = rand.Read(b) // never fails, see crypto/rand
	return hex.EncodeToString(b)
}

// Parse reads a key of 32 bytes: 64 hex digits, or base64. Space around it is ignored.
func Parse(text string) (*Keys, error) {
	text = strings.TrimSpace(text)
	key, err := hex.DecodeString(text)
	if err != nil {
		key, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	}
	if err != nil || len(key) != KeySize {
		return nil, errors.New("a secret key is 32 bytes, as 64 hex digits or in base64")
	}
	return derive(key)
}

func derive(key []byte) (*Keys, error) {
	part := func(use string) ([]byte, error) { return hkdf.Key(sha256.New, key, nil, "quipu "+use+" 1", KeySize) }
	sealing, err := part("seal")
	nonces, err2 := part("nonce")
	finder, err3 := part("digest")
	if err := errors.Join(err, err2, err3); err != nil {
		return nil, fmt.Errorf("derive keys: %w", err)
	}
	block, err := aes.NewCipher(sealing)
	if err != nil {
		return nil, fmt.Errorf("derive keys: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("derive keys: %w", err)
	}
	return &Keys{aead: aead, nonces: nonces, finder: finder}, nil
}

// bound is what a text is bound to: what it is used for, and whose it is.
func bound(use, owner string) []byte { return []byte(use + "\x00" + owner) }

// Seal encrypts a text by AES-256-GCM. It opens for the same use and owner only. The nonce is derived from all
// three, so that the same text gives the same result and no nonce serves two texts.
func (k *Keys) Seal(use, owner, text string) string {
	about := bound(use, owner)
	out := append([]byte{form}, mac(k.nonces, string(about)+"\x00"+text)[:k.aead.NonceSize()]...)
	return base64.RawStdEncoding.EncodeToString(k.aead.Seal(out, out[1:], []byte(text), about))
}

// Open decrypts what Seal made. The error wraps ErrWrongKey.
func (k *Keys) Open(use, owner, sealed string) (string, error) {
	b, err := base64.RawStdEncoding.DecodeString(sealed)
	n := 1 + k.aead.NonceSize()
	if err != nil || len(b) < n || b[0] != form {
		return "", fmt.Errorf("%w: not of this form", ErrWrongKey)
	}
	text, err := k.aead.Open(nil, b[1:n], b[n:], bound(use, owner))
	if err != nil {
		return "", ErrWrongKey
	}
	return string(text), nil
}

// Digest returns the HMAC-SHA-256 of a text in 64 hex digits. Without the key it reveals nothing about the text.
func (k *Keys) Digest(use, text string) string {
	return hex.EncodeToString(mac(k.finder, use+"\x00"+text))
}

// Check identifies the key without telling it.
func (k *Keys) Check() string { return k.Digest("check", "quipu") }

func mac(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}
