package app

import (
	"context"
	"time"

	"quipu/internal/hook"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/kernel"
	"quipu/internal/mail"
	"quipu/internal/model"
	"quipu/internal/settings"
	"quipu/internal/store/journal"
	"quipu/internal/store/registry"
	"quipu/internal/topic"
)

// MailConfig says where e-mail goes; without a host none is sent.
type MailConfig struct {
	Host     string `koanf:"host"`
	Port     int    `koanf:"port"`
	Username string `koanf:"username"`
	Password string `koanf:"password"`
	// From is the sender, as "Quipu <quipu@example.org>".
	From string `koanf:"from"`
	// TLS is starttls, opportunistic, implicit or none.
	TLS string `koanf:"tls"`
}

func (c MailConfig) mail() mail.Config {
	return mail.Config{Host: c.Host, Port: c.Port, Username: c.Username, Password: c.Password, From: c.From, TLS: mail.TLS(c.TLS)}
}

// openSettings reads what may be changed while the server runs. What the operator configured is
// the default of it.
func (a *App) openSettings(ctx context.Context) (err error) {
	if a.mail, err = mail.New(a.cfg.Mail.mail()); err != nil {
		return err
	}
	if a.config, err = settings.Open(ctx, a.docs, a.bus); err != nil {
		return err
	}
	const most = 1_000_000
	in := a.cfg.Ingest
	for name, d := range map[string]settings.Setting{
		"session_cooldown_period":        {Default: in.SessionCooldown.Seconds(), Max: 24 * 3600, PerApp: true}, // s
		"session_duration_limit":         {Default: in.SessionDurationLimit.Seconds(), Min: 1, Max: 24 * 3600, PerApp: true},
		"prevent_duplicate_requests":     {Default: in.PreventDuplicates, PerApp: true},
		"event_retention_days":           {Default: in.RetentionDays, Max: maxRetention, PerApp: true}, // 0 = for ever
		"event_limit":                    {Default: in.EventLimit, Min: 1, Max: most},
		"event_segmentation_limit":       {Default: in.EventSegmentationLimit, Min: 1, Max: most},
		"event_segmentation_value_limit": {Default: in.SegmentationValueLimit, Min: 1, Max: most},
	} {
		a.config.Declare("api", name, d)
	}
	a.applyLimits()
	hook.On(a.bus, "registry", func(context.Context, topic.SettingsChanged) error {
		a.applyLimits()
		return nil
	})
	return nil
}

// progress tells how far the journal is projected.
func (a *App) progress(ctx context.Context) (kernel.Progress, error) {
	w, err := journal.LoadWatermark(ctx, a.kv)
	if err != nil {
		return kernel.Progress{}, err
	}
	waiting, _ := a.journal.Size(w)
	end := a.journal.End()
	_, healthy := a.pipeline.Healthy()
	return kernel.Progress{End: end, Through: end - uint64(max(0, waiting)), Waiting: waiting, Healthy: healthy}, nil
}

// applyLimits hands the limits in force to the registry.
func (a *App) applyLimits() {
	n := func(name string) int { return int(a.config.Number("api", name)) }
	a.registry.SetLimits(registry.Limits{
		Events: n("event_limit"), Segments: n("event_segmentation_limit"), Values: n("event_segmentation_value_limit"),
	})
}

// settings are those of an app's pipeline.
func (a *App) settings(app *model.App) pipeline.Settings {
	seconds := func(name string) time.Duration {
		return time.Duration(a.config.AppNumber(app, "api", name) * float64(time.Second))
	}
	s := pipeline.DefaultSettings()
	s.SessionTimeout = a.cfg.Ingest.SessionTimeout
	s.Cooldown, s.MaxDuration = seconds("session_cooldown_period"), seconds("session_duration_limit")
	s.AllowDuplicates = !a.config.AppBool(app, "api", "prevent_duplicate_requests")
	return s
}
