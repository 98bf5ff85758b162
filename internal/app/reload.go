package app

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
)

// reloads takes a configuration over each time it is to be read once more, until ctx is done.
func (a *App) reloads(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case load, ok := <-a.reload:
			if !ok {
				return
			}
			a.notified(ctx, a.manager.Reloading(ctx))
			a.takeOver(ctx, load)
			a.notified(ctx, a.manager.Ready(ctx, a.status))
		}
	}
}

// takeOver puts in force what can be: the level of the log, the certificates, the geo database, and where e-mail goes. It says which other changes wait
// for the next start. A configuration with faults changes nothing.
func (a *App) takeOver(ctx context.Context, load func() (Config, error)) {
	cfg, err := load()
	if err != nil {
		a.log.ErrorContext(ctx, "the configuration has faults; the server goes on with that of its start", "error", err)
		return
	}
	if level := levelOf(cfg.Log).Level(); level != a.level.Level() {
		a.level.Set(level)
		a.log.WarnContext(ctx, "the log has another level", "level", cfg.Log.Level)
	}
	cfg.Log.Level = a.cfg.Log.Level
	a.takeCertificates(ctx, &cfg)
	if a.mail.Configure(cfg.Mail.mail()) {
		a.log.WarnContext(ctx, "e-mail goes another way", "host", cfg.Mail.Host)
	}
	cfg.Mail = a.cfg.Mail
	a.takeGeo(ctx, &cfg)
	if waiting := differing(reflect.ValueOf(a.cfg), reflect.ValueOf(cfg), ""); len(waiting) > 0 {
		a.log.WarnContext(ctx, "these changes of the configuration take effect at the next start", "keys", waiting)
		return
	}
	a.log.InfoContext(ctx, "the configuration was read")
}

// takeGeo reads the geo database once more, from where the configuration says now. One that cannot be used leaves the one from before.
func (a *App) takeGeo(ctx context.Context, cfg *Config) {
	file := cfg.Ingest.GeoDatabase
	cfg.Ingest.GeoDatabase = a.cfg.Ingest.GeoDatabase
	if file == "" && a.geo.Info().File == "" {
		return
	}
	_ = a.geo.Reload(ctx, file)
}

// takeCertificates reads the files with certificates once more. Where those cannot be used, the ones from before are shown on.
func (a *App) takeCertificates(ctx context.Context, cfg *Config) {
	if a.certs == nil || a.certs.manager != nil || cfg.TLS.CertFile == "" {
		return
	}
	if err := a.certs.reload(cfg.TLS); err != nil {
		a.log.ErrorContext(ctx, "the certificates cannot be read; those from before are shown", slog.Any("error", err))
	} else {
		a.log.InfoContext(ctx, "certificates were read", slog.Time("until", a.certs.until()))
	}
	cfg.TLS.CertFile, cfg.TLS.KeyFile = a.cfg.TLS.CertFile, a.cfg.TLS.KeyFile
}

// differing lists the keys in which two configurations differ. Their values may be secrets.
func differing(a, b reflect.Value, prefix string) (keys []string) {
	for f, value := range a.Fields() {
		key, other := prefix+f.Tag.Get("koanf"), b.FieldByName(f.Name)
		switch {
		case f.Type.Kind() == reflect.Struct:
			keys = append(keys, differing(value, other, key+".")...)
		case fmt.Sprint(value.Interface()) != fmt.Sprint(other.Interface()):
			keys = append(keys, key)
		}
	}
	return keys
}
