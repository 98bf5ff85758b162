package ch

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/fault"
)

// Exception is an error that a server answered with.
type Exception struct {
	// Code is ClickHouse's number, Name its name; 0 and "" where something else answered.
	Code int
	Name string
	// Text is what the server said, cut. It may repeat a part of the statement.
	Text string
}

// Error implements error.
func (e *Exception) Error() string { return fmt.Sprintf("code %d (%s): %s", e.Code, e.Name, e.Text) }

// exceptionBytes bounds what is read of an error, exceptionText what is kept.
const (
	exceptionBytes = 64 << 10
	exceptionText  = 400
)

// Numbers of ClickHouse's errors.
const (
	codeNoTable    = 60
	codeNoDatabase = 81
	codeTooSlow    = 159
	codeMemory     = 241
	codeNoSpace    = 243
	codeUnfinished = 341
	// A quorum of another insert is not complete; a replica lacks what a quorum has.
	codeQuorumBefore = 286
	codeNotInQuorum  = 289
)

// The codes that say that a server, or its keeper, cannot be used now: busy, out of memory, read-only, no quorum.
var passing = []int{codeTooSlow, 202, 203, 209, 210, 236, codeMemory, 242, 252, 254, 265, 279, 285, 286, 289, 305, 319, 364, 394, 415, 425, 439, 999}

// denied are those of names, passwords and rights.
var denied = []int{192, 193, 194, 195, 497, 516}

// ownMemory is in the text of an exception where a statement needs more memory than it may take, as it would on every server. Otherwise all of a server's or a user's statements together do.
var ownMemory = regexp.MustCompile(`Query memory limit|Memory limit \(for query\)`)

// NoMemory reports whether an error says that a server lacks memory for a statement.
func NoMemory(err error) bool {
	e, ok := errors.AsType[*Exception](err)
	return ok && e.Code == codeMemory
}

// The forms of an exception in a text.
var (
	codeForm = regexp.MustCompile(`Code: (\d+)\. DB::`)
	nameForm = regexp.MustCompile(`\(([A-Z][A-Z0-9_]+)\)`)
)

// exception returns the fault that an answer is.
func exception(code int, text string, status int) error {
	if m := codeForm.FindStringSubmatch(text); code == 0 && m != nil {
		code, _ = strconv.Atoi(m[1]) // digits
	}
	e := &Exception{Code: code, Text: strings.TrimSpace(text)}
	if names := nameForm.FindAllStringSubmatch(text, -1); code != 0 && len(names) > 0 {
		e.Name = names[len(names)-1][1]
	}
	if len(e.Text) > exceptionText {
		e.Text = strings.ToValidUTF8(e.Text[:exceptionText], "") + "…"
	}
	switch {
	case slices.Contains(denied, code) || code == 0 && (status == 401 || status == 403):
		return fault.Wrap(e, fault.Unavailable, "clickhouse.denied", "ClickHouse denies access to the user")
	case code == codeNoSpace:
		return fault.Wrap(e, fault.Unavailable, "clickhouse.full", "ClickHouse's disk is full")
	case code == codeNoTable || code == codeNoDatabase:
		return fault.Wrap(e, fault.Unavailable, "clickhouse.missing", "ClickHouse lacks a table or the database")
	case code == codeMemory && ownMemory.MatchString(text):
		return fault.Wrap(e, fault.Unavailable, "clickhouse.memory", "The read needs more of ClickHouse's memory than a statement may take")
	case slices.Contains(passing, code) || code == 0 && status >= 500:
		return fault.Wrap(e, fault.Unavailable, "clickhouse.busy", "ClickHouse is busy")
	}
	return fault.Wrap(e, fault.Internal, "clickhouse.refused", "ClickHouse refuses a statement")
}

// unreachable returns the fault that a connection's error is.
func unreachable(err error) error {
	return fault.Wrap(err, fault.Unavailable, "clickhouse.unreachable", "ClickHouse cannot be reached")
}

// garbled returns the fault that an answer is which cannot be read.
func garbled(err error) error {
	return fault.Wrap(err, fault.Unavailable, "clickhouse.answer", "ClickHouse's response cannot be read")
}

// midway returns the exception that a text holds which follows the head of a good answer.
func midway(text []byte) error {
	if codeForm.Match(text) {
		return exception(0, string(text), 200)
	}
	return nil
}

// elsewhere reports whether another server may do what this one did not.
func elsewhere(err error) bool {
	if e, ok := errors.AsType[*Exception](err); ok && e.Code == codeTooSlow {
		return false
	}
	switch fault.CodeOf(err) {
	case "clickhouse.unreachable", "clickhouse.busy", "clickhouse.full", "clickhouse.answer":
		return true
	}
	return false
}
