package decode

// KeepAll has d keep parameters that ingestion does not know, too.
func KeepAll(d *Decoder) { d.known = func(string) bool { return true } }
