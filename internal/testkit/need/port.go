package need

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// The ports of servers that tests start lie below those that systems give to connections and to listeners on port 0 (from 32768 on Linux,
// from 49152 elsewhere): while a server is away, no connection of anybody takes its port. A client that tries a port again and again would
// in the end be given that very port as its own and be connected to itself.
const (
	firstPort = 15_000
	lastPort  = 32_000
	portTries = 200
)

// Port returns a port of loopback that is free, for a server that a test starts, stops and starts again.
func Port() (int, error) {
	for range portTries {
		port := firstPort + rand.IntN(lastPort-firstPort) // no secret
		ln, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
		if err != nil {
			continue
		}
		return port, ln.Close()
	}
	return 0, fmt.Errorf("no port between %d and %d is free", firstPort, lastPort)
}
