// Package outcome is the closed set of what can become of something that a
// client sent. Every request, session, event, crash, trace and picture received ends as
// accepted or as dropped for exactly one reason; the counts add up.
package outcome

// Item is a kind of thing that is counted.
type Item uint8

// The items.
const (
	Request Item = iota + 1
	Session
	Event
	Crash
	Trace   // a sample of performance: the apm parameter
	Picture // an uploaded picture of a user
)

// Reason says why an item was dropped; Accepted is the reason of what was not.
type Reason uint8

// The reasons. Texts are part of the API.
const (
	Accepted Reason = iota
	Duplicate
	AppPaused
	AppLocked
	ChecksumMissing
	ChecksumMismatch
	IgnoredDevice    // zero IDFA, temporary id
	UnknownDeviceEnd // end_session of a device never seen
	SessionCooldown  // a begin that continued the last session
	Malformed        // not an object, unusable JSON, wrong type
	NoKey            // event without key
	ReservedKey      // a [CLY]_ key that clients may not send
	EventLimit       // the app has its maximum of event keys
	FilteredOut      // a filtering rule
	NoConsent
	UnknownCall  // an address or method for SDKs that the server does not have
	PictureQuota // the app has as many uploaded pictures that wait for a sweep as it may
	Internal     // a bug: the step failed; logged
	UnknownApp   // no app has the key; counted for the server, not for an app
	reasons
)

var texts = [...]string{
	"accepted", "duplicate", "app_paused", "app_locked", "checksum_missing", "checksum_mismatch",
	"ignored_device", "unknown_device_end", "session_cooldown", "malformed", "no_key",
	"reserved_key", "event_limit", "filtered_out", "no_consent", "unknown_call", "picture_quota", "internal", "unknown_app",
}

// String returns the wire's text.
func (r Reason) String() string {
	if int(r) < len(texts) {
		return texts[r]
	}
	return "unknown"
}

// Reasons returns all reasons in order.
func Reasons() []Reason {
	out := make([]Reason, 0, int(reasons))
	for r := range reasons {
		out = append(out, r)
	}
	return out
}

// Items returns all items in order.
func Items() []Item { return []Item{Request, Session, Event, Crash, Trace, Picture} }

var items = [...]string{"", "request", "session", "event", "crash", "trace", "picture"}

// String returns the wire's text.
func (i Item) String() string {
	if int(i) < len(items) {
		return items[i]
	}
	return "unknown"
}
