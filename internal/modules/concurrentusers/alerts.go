package concurrentusers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"slices"
	"strings"
	"time"
	"unicode"

	"quipu/internal/fault"
	"quipu/internal/mail"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// Bounds of alerts.
const (
	maxAlerts     = 200 // of an app
	maxText       = 200 // characters
	maxUsers      = 1_000_000_000
	maxAddresses  = 20
	moreMinutes   = 60 // above the setting alert_interval
	silentMinutes = 30 // of alerts without users
)

// Types of alerts: more or fewer users than a number, or nobody at all.
const (
	threshold = "t"
	offline   = "o"
)

// Definitions of threshold alerts.
const (
	above = "max"
	below = "min"
)

// retries is how long an e-mail that cannot be sent is tried again.
const retries = time.Hour

// alert watches the online users of an app.
type alert struct {
	ID        string         `json:"_id"`
	Name      string         `json:"name"`
	App       string         `json:"app"`
	Type      string         `json:"type"`
	Enabled   bool           `json:"enabled"`
	Def       string         `json:"def,omitempty"`
	Condition string         `json:"condition_title"`
	Users     int64          `json:"users"`
	Minutes   int64          `json:"minutes"`
	Email     []string       `json:"email"`
	CreatedBy model.MemberID `json:"created_by"`
	DefinedAt int64          `json:"defined_at"`               // ms
	Triggered int64          `json:"last_triggered,omitempty"` // ms; 0 = never

	// Since is from when on (ms) the condition has held without a break; 0 = it does not hold. Fired says that the alert has been sent since then.
	Since int64 `json:"since,omitempty"`
	Fired bool  `json:"fired,omitempty"`
	// Waiting are addresses that an e-mail is still to be sent to, Count how many users were online when it was triggered.
	Waiting []string `json:"waiting,omitempty"`
	Count   int64    `json:"count,omitempty"`
}

// Key implements docs.Document.
func (a alert) Key() string { return a.ID }

// Validate implements docs.Document.
func (a alert) Validate() error {
	switch {
	case a.Name == "" || a.Condition == "" || a.Type == threshold && a.Def == "":
		return errArgs
	case len([]rune(a.Name)) > maxText || len([]rune(a.Condition)) > maxText || strings.ContainsFunc(a.Name+a.Condition, unicode.IsControl):
		return errArgs
	case a.Type != threshold && a.Type != offline:
		return errType
	case a.Type == threshold && a.Def != above && a.Def != below:
		return errArgs
	case a.Users < 0 || a.Users > maxUsers:
		return errUsers
	case len(a.Email) > maxAddresses || slices.ContainsFunc(a.Email, func(e string) bool { return !address(e) }):
		return errEmail
	}
	return nil
}

// address reports whether a text is an e-mail address and nothing else: no name, no line, no second address.
func address(text string) bool {
	if len(text) > 254 || strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) || unicode.IsSpace(r) || strings.ContainsRune("<>,;\"()", r)
	}) {
		return false
	}
	parsed, err := netmail.ParseAddress(text)
	return err == nil && parsed.Address == text && parsed.Name == ""
}

func alertSpec() docs.Spec[alert] {
	return docs.Spec[alert]{Name: feature + ".alerts", Version: 1, Indexes: []docs.Index[alert]{{Name: "enabled", Path: ".enabled"}, {Name: "fired", Path: ".fired"}}}
}

// across are the alerts of all apps.
func (s *service) across() docs.Across[alert] {
	return alertSpec().AcrossApps(s.docs, "one job watches the online users of all apps")
}

// holds reports whether the condition holds for a number of users.
func (a alert) holds(users int64) bool {
	switch {
	case a.Type == offline:
		return users == 0
	case a.Def == above:
		return users > a.Users
	}
	return users < a.Users
}

// move takes a sample at a moment into an alert. unbroken says that nothing was missed since the sample before it.
func (a *alert) move(users, at int64, unbroken bool) {
	if !a.holds(users) {
		a.Since, a.Fired = 0, false
		return
	}
	if a.Since == 0 || !unbroken && !a.Fired {
		a.Since = at
	}
	if !a.Fired && at-a.Since >= a.Minutes*60_000 {
		a.Fired, a.Triggered, a.Count, a.Waiting = true, at, users, slices.Clone(a.Email)
	}
}

// beat is the document that says when the last sample was taken.
type beat struct {
	At int64 `json:"at"` // ms
}

// Key implements docs.Document.
func (beat) Key() string { return "last" }

// Validate implements docs.Document.
func (beat) Validate() error { return nil }

func beatSpec() docs.Spec[beat] { return docs.Spec[beat]{Name: feature + ".sampled", Version: 1} }

// watch moves the alerts of all apps by what a sample found.
func (s *service) watch(ctx context.Context, counts map[model.AppID]count, at time.Time) error {
	last, err := beatSpec().Global(s.docs).Get(ctx, beat{}.Key())
	if err != nil && !docs.IsNotFound(err) {
		return err
	}
	unbroken := at.Sub(time.UnixMilli(last.At)) <= max(90*time.Second, 3*s.interval)
	var list []docs.Found[alert]
	for f, err := range s.across().List(ctx, docs.Query{Where: []docs.Cond{docs.Eq("enabled", true)}}) {
		if err != nil {
			return fmt.Errorf("list alerts: %w", err)
		}
		list = append(list, f)
	}
	if len(list) == 0 {
		return nil
	}
	var faults []error
	for _, f := range list {
		if next := f.Doc; s.apps.ByID(f.App) != nil {
			next.move(counts[f.App].Online, at.UnixMilli(), unbroken)
			if next.Since == f.Doc.Since && next.Fired == f.Doc.Fired {
				continue
			}
		}
		_, err := alertSpec().In(s.docs, f.App).Update(ctx, f.Doc.ID, func(a *alert) error {
			if a.Enabled {
				a.move(counts[f.App].Online, at.UnixMilli(), unbroken)
			}
			return nil
		})
		if err != nil && !docs.IsNotFound(err) {
			faults = append(faults, fmt.Errorf("alert %s: %w", f.Doc.ID, err))
		}
	}
	return errors.Join(append(faults, beatSpec().Global(s.docs).Put(ctx, beat{at.UnixMilli()}))...)
}

// notify sends the e-mails of alerts that were triggered. One that cannot be sent is tried again for an hour; one whose sending ended with the process,
// too, so that it may come twice, but never not at all.
func (s *service) notify(ctx context.Context) error {
	var list []docs.Found[alert]
	for f, err := range s.across().List(ctx, docs.Query{Where: []docs.Cond{docs.Eq("fired", true)}}) {
		if err != nil {
			return fmt.Errorf("list alerts: %w", err)
		}
		if len(f.Doc.Waiting) > 0 {
			list = append(list, f)
		}
	}
	for _, f := range list {
		app := s.apps.ByID(f.App)
		for _, to := range f.Doc.Waiting {
			var err error
			if app != nil && s.mail.On() {
				err = s.mail.Send(ctx, s.message(app, f.Doc, to))
			}
			late := s.now().UnixMilli()-f.Doc.Triggered > retries.Milliseconds()
			if err != nil && !late && fault.KindOf(err) != fault.Invalid {
				s.log.WarnContext(ctx, "e-mail of an alert is tried again", slog.String("alert", f.Doc.ID), slog.Any("error", err))
				continue
			}
			if err != nil {
				s.log.ErrorContext(ctx, "e-mail of an alert was not sent", slog.String("alert", f.Doc.ID), slog.Any("error", err))
			}
			_, err = alertSpec().In(s.docs, f.App).Update(ctx, f.Doc.ID, func(a *alert) error {
				if a.Triggered == f.Doc.Triggered {
					a.Waiting = slices.DeleteFunc(a.Waiting, func(one string) bool { return one == to })
				}
				return nil
			})
			if err != nil && !docs.IsNotFound(err) {
				return fmt.Errorf("alert %s: %w", f.Doc.ID, err)
			}
		}
	}
	return nil
}

// message is the e-mail of an alert: plain text, of which no part can become a header or markup.
func (s *service) message(app *model.App, a alert, to string) mail.Message {
	cal, _ := s.zones.Get(app.Timezone)
	at := time.UnixMilli(a.Triggered).In(cal.Location()).Format("2006-01-02 15:04 MST")
	what := fmt.Sprintf("more than %d users have been online for %d minutes", a.Users, a.Minutes)
	switch {
	case a.Type == offline:
		what = fmt.Sprintf("nobody has been online for %d minutes", a.Minutes)
	case a.Def == below:
		what = fmt.Sprintf("fewer than %d users have been online for %d minutes", a.Users, a.Minutes)
	}
	name := line(app.Name)
	return mail.Message{
		To:      to,
		Subject: fmt.Sprintf("%s: %s", name, line(a.Name)),
		Text: fmt.Sprintf("In %s, %s.\n\nOnline now: %d\nTime: %s\nAlert: %s (%s)\n\nThe next e-mail comes when this has ended and begins once more.\n",
			name, what, a.Count, at, line(a.Name), line(a.Condition)),
	}
}

// line makes one line of a text.
func line(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == ' ' || r == '\u2028' || r == '\u2029' }), " ")
}
