package app

import (
	"context"
	"log/slog"

	"quipu/internal/auth"
	"quipu/internal/hook"
	"quipu/internal/topic"
)

// signedIn notes how an attempt to sign in ended: in metrics, in the log, and, where somebody failed at a member's password, in the audit log.
// The throttle bounds how often that is: what it blocks is no further entry.
func (a *App) signedIn(ctx context.Context, at auth.Attempted) {
	if a.metrics != nil {
		a.metrics.signIns.WithLabelValues(string(at.Outcome)).Inc()
	}
	ip, level := "", slog.LevelInfo
	if at.Addr.IsValid() {
		ip = at.Addr.String()
	}
	switch at.Outcome {
	case auth.SignInAccepted:
	case auth.SignInBlocked: // costs a client nothing, so that it could fill the log
		level = slog.LevelDebug
	default:
		level = slog.LevelWarn
	}
	log := []slog.Attr{slog.String("outcome", string(at.Outcome)), slog.String("address", ip), slog.Bool("confirms", at.Confirms)}
	if at.Member != nil {
		log = append(log, slog.String("member", at.Member.Username))
	}
	a.log.LogAttrs(ctx, level, "sign-in", log...)
	if at.Outcome != auth.SignInRefused || at.Member == nil {
		return
	}
	ev := topic.Action{
		At: a.now(), Name: "sign_in_refused", Member: at.Member.ID, Username: at.Member.Username, IP: ip,
		Data: map[string]any{"user_id": at.Member.ID, "confirms": at.Confirms},
	}
	if err := hook.Emit(ctx, a.bus, ev); err != nil {
		a.log.ErrorContext(ctx, "action not recorded", slog.String("action", ev.Name), slog.Any("error", err))
	}
}
