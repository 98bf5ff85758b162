package concurrentusers

import (
	"context"
	"log/slog"
	"time"

	"quipu/internal/api"
	"quipu/internal/mail"
	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// Fake is the server around a service in tests.
type Fake struct {
	Docs    docs.DB
	App     *model.App
	More    []*model.App // beside it
	Source  sessions
	Minutes float64 // setting online_time, in minutes
	Now     func() time.Time
	Sent    func(mail.Message) error
	Off     bool
}

// ByID implements directory.
func (f *Fake) ByID(id model.AppID) *model.App {
	for _, app := range f.All() {
		if app.ID == id {
			return app
		}
	}
	return nil
}

// All implements directory.
func (f *Fake) All() []*model.App { return append([]*model.App{f.App}, f.More...) }

// Number implements values.
func (f *Fake) Number(_, name string) float64 {
	if name == onlineTime {
		return f.Minutes * 60
	}
	return 3
}

// On implements sender.
func (f *Fake) On() bool { return !f.Off }

// Send implements sender.
func (f *Fake) Send(_ context.Context, m mail.Message) error { return f.Sent(m) }

// Service is the module's service.
type Service = service

// Alert is what is kept of an alert, Point a maximum, Kind a width of buckets.
type (
	Alert = alert
	Point = point
	Kind  = kind
)

// The kinds.
const (
	Minutes = minutes
	Hours   = hours
	Days    = days
	Ever    = ever
)

// New returns a service as it is after a start.
func (f *Fake) New() *Service {
	return &service{
		docs: f.Docs, apps: f, settings: f, mail: f, log: slog.New(slog.DiscardHandler), now: f.Now, crowds: newCrowds(f.Source), cache: newCache(),
		interval: 10 * time.Second, names: func(context.Context) (map[model.MemberID]string, error) { return nil, nil },
	}
}

// Sample is the job that samples.
func (s *service) Sample(ctx context.Context) error { return s.sample(ctx) }

// Notify is the job that sends e-mail.
func (s *service) Notify(ctx context.Context) error { return s.notify(ctx) }

// Read returns buckets.
func (s *service) Read(ctx context.Context, app *model.App, k Kind, at time.Time) ([]Point, error) {
	return s.read(ctx, app, k, at)
}

// Bucket is a maximum that is shown, Overview what the dashboard shows.
type (
	Bucket   = bucket
	Overview = overview
)

// Together answers all figures of several apps.
func (s *service) Together(ctx context.Context, app *model.App, apps []*model.App) (*Overview, error) {
	return s.together(ctx, &api.Call{App: app, Now: s.now()}, apps)
}

// Keep stores an alert.
func (s *service) Keep(ctx context.Context, app model.AppID, a Alert) error {
	return alertSpec().In(s.docs, app).Put(ctx, a)
}

// Kept returns an alert.
func (s *service) Kept(ctx context.Context, app model.AppID, id string) (Alert, error) {
	return alertSpec().In(s.docs, app).Get(ctx, id)
}

// Message is the e-mail of an alert.
func (s *service) Message(app *model.App, a Alert, to string) mail.Message {
	return s.message(app, a, to)
}

// IsAddress reports whether a text is an e-mail address.
func IsAddress(text string) bool { return address(text) }
