package decode

import (
	"crypto/sha256"
	"encoding/binary"
	"net/http"

	"quipu/internal/ingest/request"
)

const (
	onceHeader   = "Idempotency-Key"
	repeatHeader = "Idempotent-Replayed"
	maxOnce      = 255 // bytes of a key
	onceSize     = 16  // bytes of its hash
)

// once is the key by which a request over HTTP is known again; the zero value is none.
type once struct {
	hash  [onceSize]byte
	given bool
}

// readOnce reads the key of a request; false when it is none that may be.
func readOnce(r *http.Request) (once, bool) {
	values := r.Header[onceHeader]
	if len(values) == 0 {
		return once{}, true
	}
	key := values[0]
	if len(values) > 1 || key == "" || len(key) > maxOnce {
		return once{}, false
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return once{}, false
		}
	}
	sum := sha256.Sum256([]byte(key))
	return once{hash: [onceSize]byte(sum[:]), given: true}, true
}

// param is what a record carries of the key. index is that of an item of a bulk request, -1 for a request of its own.
func (o *once) param(index int) request.Param {
	b := o.hash[:]
	if index >= 0 {
		b = binary.AppendUvarint(append(make([]byte, 0, onceSize+binary.MaxVarintLen32), b...), uint64(index))
	}
	return request.Param{Name: request.OnceParam, Value: b}
}
