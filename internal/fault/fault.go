// Package fault holds the one error type that crosses package borders.
//
// An Error says what kind of failure it is, which stable code clients may
// rely on, and a message that may be shown to anyone. The cause is only
// logged. Any other error is an internal one: its text never leaves the
// process.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Kind is the closed set of failure classes. The zero value is Internal.
type Kind uint8

// The kinds, with the HTTP status that package api gives them by default.
const (
	Internal        Kind = iota // 500, fixed text and an incident id
	Invalid                     // 400
	Unauthenticated             // 401
	Forbidden                   // 403
	NotFound                    // 404
	Conflict                    // 409
	TooLarge                    // 413
	RateLimited                 // 429
	Unavailable                 // 503
)

// String returns the kind's name in lower case.
func (k Kind) String() string {
	names := [...]string{
		"internal", "invalid", "unauthenticated", "forbidden", "not_found",
		"conflict", "too_large", "rate_limited", "unavailable",
	}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Error is a failure with a public face.
type Error struct {
	Kind Kind
	// Code is part of the API, as "crashes.not_found".
	Code string
	// Msg may be shown to anyone; it holds no secrets and no payloads.
	Msg string
	// Fields maps a parameter to what is wrong with it; nil when the fault is
	// not about parameters.
	Fields map[string]string
	// Params are numbers that Msg names, for programs, such as the line of a
	// statement; nil when there are none.
	Params map[string]int
	// RetryAfter tells clients when to come back; zero means no hint.
	RetryAfter time.Duration
	// Err is the cause. It is logged, never shown.
	Err error
}

// Header is the header of HTTP answers that has the code of a fault.
const Header = "Quipu-Error"

// CodeInternal is the code of all that is no Error: what it was is only logged.
const CodeInternal = "server.internal"

// New returns an Error without a cause.
func New(kind Kind, code, msg string) *Error {
	return &Error{Kind: kind, Code: code, Msg: msg}
}

// Newf is New with a formatted message.
func Newf(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Msg: fmt.Sprintf(format, args...)}
}

// Wrap returns an Error whose cause is err.
func Wrap(err error, kind Kind, code, msg string) *Error {
	return &Error{Kind: kind, Code: code, Msg: msg, Err: err}
}

// Error returns code, message and cause; it is meant for logs.
func (e *Error) Error() string {
	s := e.Code + ": " + e.Msg
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause, which may be nil.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the first Error in err's chain, and Internal
// when there is none.
func KindOf(err error) Kind {
	if fe, ok := errors.AsType[*Error](err); ok {
		return fe.Kind
	}
	return Internal
}

// CodeOf returns the code of the first Error in err's chain, and "" when
// there is none.
func CodeOf(err error) string {
	if fe, ok := errors.AsType[*Error](err); ok {
		return fe.Code
	}
	return ""
}
