package kv

// Prefixes returns the first bytes of a space's keys.
func (s Space) Prefixes() []byte { return s.prefixes }
