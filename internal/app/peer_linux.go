package app

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// established is the state of an open connection in the kernel's tables.
const established = "01"

// ownersOf returns the user ids that own the client's end of a connection within this machine, by the kernel's tables; none when it
// has no such end here. Of several that cannot be distinguished it returns all.
func ownersOf(client, server netip.AddrPort) ([]uint32, error) {
	var out []uint32
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		f, err := os.Open(table)
		if errors.Is(err, fs.ErrNotExist) {
			continue // no IPv6
		}
		if err != nil {
			return nil, fmt.Errorf("read connections: %w", err)
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			// sl, local and remote address, state, queues, timer, retransmissions, user …
			v := strings.Fields(lines.Text())
			if len(v) < 8 || v[3] != established || endOf(v[1]) != client || endOf(v[2]) != server {
				continue
			}
			if uid, err := strconv.ParseUint(v[7], 10, 32); err == nil {
				out = append(out, uint32(uid))
			}
		}
		if err := errors.Join(lines.Err(), f.Close()); err != nil {
			return nil, fmt.Errorf("read connections: %w", err)
		}
	}
	return out, nil
}

// endOf reads an end of a connection as the kernel writes it: words of 32 bits of the machine's order, and the port, in hex. The
// zero AddrPort is none.
func endOf(text string) netip.AddrPort {
	words, port, _ := strings.Cut(text, ":")
	b, err := hex.DecodeString(words)
	n, perr := strconv.ParseUint(port, 16, 16)
	if err != nil || perr != nil || len(b)%4 != 0 {
		return netip.AddrPort{}
	}
	for i := 0; i < len(b); i += 4 {
		binary.NativeEndian.PutUint32(b[i:], binary.BigEndian.Uint32(b[i:]))
	}
	a, ok := netip.AddrFromSlice(b)
	if !ok {
		return netip.AddrPort{}
	}
	return netip.AddrPortFrom(a.Unmap(), uint16(n))
}
