package auth

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"time"

	"quipu/internal/model"
)

// A device that signed in keeps a cookie that says so, and of which the server keeps nothing. The cookie
// holds an entry for each of the last members who signed in on it:
//
//	8 bytes   end, seconds, big-endian
//	12 bytes  id of the device, random
//	16 bytes  HMAC of both, the member and its password's hash, under the secret key
//
// in URL-safe base64, joined by dots. So an entry counts for one member, and until its password changes.
const (
	useDevice    = "device"
	deviceIDSize = 12
	deviceTag    = 16
	deviceSize   = 8 + deviceIDSize + deviceTag
	deviceLife   = 180 * 24 * time.Hour
	maxEntries   = 4
)

// Device returns the value of the cookie by which a device is known that a member has just signed in on, and when
// it ends; "" without a secret key. The device had the cookie before, which may be "".
func (s *Service) Device(m *model.Member, before string) (cookie string, end time.Time) {
	if s.vault.keys == nil {
		return "", time.Time{}
	}
	end = s.now().Add(deviceLife)
	entry := make([]byte, 8+deviceIDSize, deviceSize)
	binary.BigEndian.PutUint64(entry, uint64(end.Unix())) // after 1970
	_, _ = rand.Read(entry[8:])                           // never fails, see crypto/rand
	own, others := s.ownEntry(m, before)
	if own != nil {
		copy(entry[8:], own[8:8+deviceIDSize])
	}
	entry = append(entry, s.deviceTag(m, entry)...)
	list := append([]string{base64.RawURLEncoding.EncodeToString(entry)}, others...)
	return strings.Join(list[:min(len(list), maxEntries)], "."), end
}

// device returns the id of the device that a cookie shows to have signed in a member, "" for none. It takes
// the same work for nil, of whom nothing is known.
func (s *Service) device(m *model.Member, cookie string) string {
	if s.vault.keys == nil {
		return ""
	}
	nobody := m == nil
	if nobody {
		m = &model.Member{PasswordHash: s.dummy}
	}
	own, _ := s.ownEntry(m, cookie)
	if own == nil || nobody {
		return ""
	}
	return hex.EncodeToString(own[8 : 8+deviceIDSize])
}

// ownEntry finds a member's entry in a cookie, nil for none, and the entries of others as they are. Each is looked at.
func (s *Service) ownEntry(m *model.Member, cookie string) (own []byte, others []string) {
	if len(cookie) > maxEntries*(base64.RawURLEncoding.EncodedLen(deviceSize)+1) {
		return nil, nil
	}
	for text := range strings.SplitSeq(cookie, ".") {
		entry, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil || len(entry) != deviceSize {
			continue
		}
		head := entry[:8+deviceIDSize]
		ours := subtle.ConstantTimeCompare(s.deviceTag(m, head), entry[8+deviceIDSize:]) == 1
		ended := binary.BigEndian.Uint64(head) <= uint64(s.now().Unix()) // after 1970
		switch {
		case ended:
		case ours:
			own = entry
		default:
			others = append(others, text)
		}
	}
	return own, others
}

func (s *Service) deviceTag(m *model.Member, head []byte) []byte {
	sum := s.vault.keys.Digest(useDevice, m.ID.String()+"\x00"+m.PasswordHash+"\x00"+string(head))
	tag, err := hex.DecodeString(sum[:2*deviceTag])
	if err != nil {
		return make([]byte, deviceTag) // cannot happen: a digest is hex
	}
	return tag
}
