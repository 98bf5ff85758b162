package decode

import "quipu/internal/ingest/request"

// KeepAll has d keep parameters that ingestion does not know, too.
func KeepAll(d *Decoder) { d.known = func(string) bool { return true } }

// KeepKnown undoes KeepAll.
func KeepKnown(d *Decoder) { d.known = request.Known }
