//go:build !linux

package memory

import "errors"

// resident is not known on this system.
func resident() (all, files int64, err error) { return 0, 0, errors.ErrUnsupported }
