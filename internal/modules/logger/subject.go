package logger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/profile"
	"quipu/internal/topic"
)

// shortID is the number of bytes up to which a device id may stand anywhere by chance.
const shortID = 4

// erase drops the requests in which one of the texts stands that identify erased users.
func (s *service) erase(ctx context.Context, ev topic.UsersErased) error {
	if err := s.flushed(ctx); err != nil {
		return err
	}
	col, texts := spec().In(s.docs, ev.App), ev.Texts
	for r, err := range col.List(ctx, docs.Query{}) {
		if err != nil {
			return fmt.Errorf("erase users from the request log: %w", err)
		}
		// Only here is known by what ids a device came before.
		if old := r.Types["old_device_id"]; len(old) > shortID && slices.Contains(ev.Texts, r.Device.ID) {
			texts = append(slices.Clone(texts), old)
		}
	}
	for r, err := range col.List(ctx, docs.Query{}) {
		if err != nil {
			return fmt.Errorf("erase users from the request log: %w", err)
		}
		tells, err := r.tells(texts)
		if err == nil && tells {
			err = col.Delete(ctx, r.ID)
		}
		if err != nil && !docs.IsNotFound(err) {
			return fmt.Errorf("erase users from the request log: %w", err)
		}
	}
	return nil
}

// tells reports whether one of the texts stands anywhere in the row, plain or as JSON in it writes it.
func (r row) tells(texts []string) (bool, error) {
	plain := []string{r.Device.ID, r.Query}
	for _, text := range r.Types {
		plain = append(plain, text)
	}
	for _, text := range r.Header {
		plain = append(plain, text)
	}
	for _, text := range texts {
		quoted, err := json.Marshal(text)
		if err != nil {
			return false, err
		}
		inner := string(quoted[1 : len(quoted)-1])
		if slices.ContainsFunc(plain, func(s string) bool { return strings.Contains(s, text) || strings.Contains(s, inner) }) {
			return true, nil
		}
	}
	return false, nil
}

// ofUsers hands over the requests that came from the devices of users.
func (s *service) ofUsers(ctx context.Context, app model.AppID, uids []uint32, fn func(doc any) error) error {
	devices := map[string]bool{}
	for _, uid := range uids {
		p, err := s.profiles.ByUID(ctx, app, uid)
		if errors.Is(err, profile.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		devices[p.DID] = true
	}
	if err := s.flushed(ctx); err != nil {
		return err
	}
	for r, err := range spec().In(s.docs, app).List(ctx, docs.Query{Sort: "seq"}) {
		if err != nil {
			return err
		}
		if devices[r.Device.ID] {
			if err := fn(r); err != nil {
				return err
			}
		}
	}
	return nil
}
