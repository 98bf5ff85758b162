package app

import (
	"context"
	"fmt"
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
			a.takeOver(ctx, load)
		}
	}
}

// takeOver puts the level of the log in force, and says which other changes wait for the next start. A configuration with faults
// changes nothing.
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
	if waiting := differing(reflect.ValueOf(a.cfg), reflect.ValueOf(cfg), ""); len(waiting) > 0 {
		a.log.WarnContext(ctx, "these changes of the configuration take effect at the next start", "keys", waiting)
		return
	}
	a.log.InfoContext(ctx, "the configuration was read")
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
