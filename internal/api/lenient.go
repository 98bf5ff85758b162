package api

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/period"
)

// WarningHeader is the header of an answer that was made without a parameter that makes no sense: for each a fault code and a text.
const WarningHeader = "Quipu-Warning"

// maxWarnings is how many warnings an answer has at most.
const maxWarnings = 10

// Lenient is a request type with parameters that make sense or are done without, as the protocol has it.
type Lenient interface {
	// Ignored returns a fault.Invalid for each that makes none.
	Ignored() []error
}

// Ignore reports parameters that an answer is made without: each gives the answer a [WarningHeader]. With the header
// "Prefer: handling=strict" (RFC 7240) the first is returned instead, which the handler returns before it does anything.
func (c *Call) Ignore(faults ...error) error {
	if len(faults) == 0 {
		return nil
	}
	if c.strict() {
		return faults[0]
	}
	for _, err := range faults {
		warning := fault.CodeOf(err) + " " + strconv.QuoteToASCII(messageOf(err))
		if c.header != nil && len(c.header[WarningHeader]) < maxWarnings && !slices.Contains(c.header[WarningHeader], warning) {
			c.header.Add(WarningHeader, warning)
		}
	}
	return nil
}

// messageOf is what a caller is shown of a fault.
func messageOf(err error) string {
	if fe, ok := errors.AsType[*fault.Error](err); ok {
		return fe.Msg
	}
	return err.Error()
}

// strict reports whether the caller wants to be refused rather than answered without a parameter.
func (c *Call) strict() bool {
	for _, prefer := range c.request.Header.Values("Prefer") {
		for part := range strings.FieldsFuncSeq(prefer, func(r rune) bool { return r == ',' || r == ';' }) {
			if strings.EqualFold(strings.TrimSpace(part), "handling=strict") {
				return true
			}
		}
	}
	return false
}

// BadParam returns the fault of a parameter whose text is not what it is for: request.bad_parameter.
func BadParam(name, text, want string) error {
	return fault.New(fault.Invalid, "request.bad_parameter", fmt.Sprintf("%s: %q is not a valid %s", name, clip(text), want))
}

// Window is the part of a request that says which days a read is about. Reads take texts that make no sense for those that are not
// there.
type Window struct {
	// Period is a text of [period.Frame.Parse], "" for the last 30 days.
	Period string `param:"period"`
	// Timezone, Timestamp and Offset are the zone, the reference time and the client's distance from UTC in minutes.
	Timezone  string `param:"timezone"`
	Timestamp string `param:"timestamp"`
	Offset    string `param:"periodOffset"`
}

// Frame returns what the window is reckoned in, where numbers are kept in the zone of an app.
func (w Window) Frame(c *Call, app *model.App, zones *period.Zones) period.Frame {
	cal, _ := zones.Get(app.Timezone)
	f := period.NewFrame(c.Now, cal, zones, w.overrides())
	f.Parsed = c.Parsed()
	return f
}

func (w Window) overrides() period.Overrides {
	return period.Overrides{Timezone: w.Timezone, Timestamp: w.Timestamp, Offset: w.Offset}
}

// Ignored implements [Lenient].
func (w Window) Ignored() []error {
	return append(BadPeriod("period", w.Period), w.overrides().Ignored()...)
}

// BadPeriod returns the fault of a parameter with a text that names no window: period.invalid; nil when it names one.
func BadPeriod(name, text string) []error {
	if err := period.Check(text); err != nil {
		return []error{fault.Wrap(err, fault.Invalid, fault.CodeOf(err), fmt.Sprintf("%s: %q is no period", name, clip(text)))}
	}
	return nil
}
