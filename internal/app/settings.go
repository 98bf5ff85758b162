package app

import (
	"context"
	"time"

	"quipu/internal/auth"
	"quipu/internal/kernel"
	"quipu/internal/mail"
	"quipu/internal/settings"
)

// MailConfig says where e-mail goes; without a host none is sent.
type MailConfig struct {
	Host     string `koanf:"host"`
	Port     int    `koanf:"port"`
	Username string `koanf:"username"`
	Password string `koanf:"password" secret:"true"`
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
	in := a.cfg.Ingest
	for name, d := range map[string]settings.Setting{
		"session_cooldown_period":        {Default: in.SessionCooldown.Seconds(), Max: maxSession.Seconds(), PerApp: true}, // s
		"session_duration_limit":         {Default: in.SessionDurationLimit.Seconds(), Min: 1, Max: maxSession.Seconds(), PerApp: true},
		"prevent_duplicate_requests":     {Default: in.PreventDuplicates, PerApp: true},
		"event_retention_days":           {Default: in.RetentionDays, Max: maxRetention, PerApp: true}, // 0 = forever
		"event_limit":                    {Default: in.EventLimit, Min: 1, Max: maxLimit},
		"event_segmentation_limit":       {Default: in.EventSegmentationLimit, Min: 1, Max: maxLimit},
		"event_segmentation_value_limit": {Default: in.SegmentationValueLimit, Min: 1, Max: maxLimit},
		"metric_value_limit":             {Default: in.MetricValueLimit, Min: 1, Max: maxLimit},
	} {
		a.config.Declare("api", name, d)
	}
	for name, d := range map[string]settings.Setting{
		"password_expiration":   {Default: 0, Max: maxExpiration}, // days, 0 = never
		"password_rotation":     {Default: 0, Max: auth.MaxHistory},
		"force_password_change": {Default: false},
	} {
		a.config.Declare("security", name, d)
	}
	return nil
}

// maxExpiration is the longest lifetime of a password that expires, days.
const maxExpiration = 3650

// passwordRules are the rules of passwords in force.
func (a *App) passwordRules() auth.PasswordRules {
	return auth.PasswordRules{
		Expiration:  time.Duration(a.config.Number("security", "password_expiration") * float64(24*time.Hour)),
		History:     int(a.config.Number("security", "password_rotation")),
		ForceChange: a.config.Bool("security", "force_password_change"),
	}
}

// progress tells how far the journal is projected.
func (a *App) progress(ctx context.Context) (kernel.Progress, error) {
	w, err := a.state.Watermark(ctx)
	if err != nil {
		return kernel.Progress{}, err
	}
	waiting, _ := a.journal.Size(w)
	end := a.journal.End().Total()
	_, healthy := a.work.Healthy()
	return kernel.Progress{End: end, Through: end - uint64(max(0, waiting)), Waiting: waiting, Healthy: healthy, Refuses: a.unready(ctx, "")}, nil
}
