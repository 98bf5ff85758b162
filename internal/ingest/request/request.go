// Package request is the language between the HTTP edge of ingestion and the
// pipeline: what one journal record holds, and its byte form
// (docs/format/journal.md).
package request

import (
	"net/netip"

	"quipu/internal/model"
)

// Kind is the sort of a journal record.
type Kind uint8

// The kinds. Client is what SDKs send; all others are commands that the
// server appends, so that every change of an app's data has its place in
// one order.
const (
	Client         Kind = 1 // Params
	SessionTimeout Kind = 2 // Profile: close this open session if it is still Session
	ResetApp       Kind = 3 // forget all data of the app
	DeleteApp      Kind = 4 // forget all data and the schema of the app
	DeleteEvents   Kind = 5 // Names: event keys
	OmitSegments   Kind = 6 // Event, Names: segments
	CreateUser     Kind = 7 // JSON: the profile document
	UpdateUsers    Kind = 8 // UIDs, JSON: the modifier document
	DeleteUsers    Kind = 9 // UIDs
	RebuildCells   Kind = 10
	// WhitelistSegments has Event and Names: the only segments recorded from now
	// on; none means all.
	WhitelistSegments Kind = 11
	// DropRows has JSON {"before":ms}: event rows and requests of earlier times
	// are dropped; cells stay unless "cells":true says otherwise.
	DropRows Kind = 12
	// RewriteUsers replaces the numbers of merged users in all cells and forgets the aliases.
	RewriteUsers Kind = 13
	// EraseUsers has UIDs, and JSON {"values":[{"event":…,"segment":…,"values":[…]}]}: users are removed as by
	// DeleteUsers, from the bitmaps of cells as well, and with them values of segments that nobody else sent.
	EraseUsers Kind = 14
	// SetSettings has JSON: the settings under which the app's later records are projected (package pipeline).
	SetSettings Kind = 15
	// DeleteSubjects has Event, which names a feature by an event of its own, and Names: subjects of the feature are forgotten
	// with their rows and cells.
	DeleteSubjects Kind = 16
	// FeatureUsers has Event, the name of a feature, UIDs, and JSON, which is the feature's own: it does something to users.
	FeatureUsers Kind = 17
)

// Record is one journal entry.
type Record struct {
	Kind     Kind
	App      model.AppID
	Received int64 // ms, server clock
	// Client only.
	IP        netip.Addr // of the client, after trusted proxies; the zero Addr when unknown
	UserAgent string
	// Params in the order received, names unique (a later duplicate wins, in place of the earlier).
	Params []Param
	// Picture is the content hash of an uploaded user picture, "" = none.
	Picture string
	// Print is what Printer.Fingerprint returns for the record, when the edge needed it; zero = nobody computed it.
	Print [16]byte
	// PictureLeftOut says that the picture was not kept. Its hash stays in the record, so that the request is known again.
	PictureLeftOut bool

	// Commands only; which are set depends on Kind.
	Profile model.ProfileID
	Session uint64
	Event   string
	Names   []string
	UIDs    []uint32
	JSON    []byte
}

// Param is one request parameter. Value is text for a parameter that came as
// text, and JSON when it came structured (JSON body, bulk item).
type Param struct {
	Name  string
	Value []byte
	JSON  bool
}

// Param returns the value of a parameter; nil when there is none.
func (r *Record) Param(name string) []byte {
	for i := range r.Params {
		if r.Params[i].Name == name {
			return r.Params[i].Value
		}
	}
	return nil
}

// Feature returns the event by which a record of DeleteSubjects names a feature. Records from the time when views were the
// only subjects name none.
func (r *Record) Feature() string {
	if r.Event == "" {
		return "[CLY]_view"
	}
	return r.Event
}
