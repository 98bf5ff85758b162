package appusers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quipu/internal/model"
)

const (
	// pictureAge is how old an uploaded picture is before it is looked at whether anybody has it: what was accepted is in a profile by then.
	pictureAge = time.Hour
	// maxPictures bounds how many pictures are looked at each time.
	maxPictures = 200_000
)

// sweepPictures deletes the uploaded pictures that no user has any more: those that another one took the place of, of merged users
// and of deleted apps.
func (s *subjects) sweepPictures(ctx context.Context) error {
	unused, looked, err := s.files.Sweep(ctx, pictureAge, maxPictures)
	if err != nil {
		return err
	}
	if len(unused) == 0 {
		return looked()
	}
	// What waits to be projected may name a picture.
	if err := s.data.Flush(ctx); err != nil {
		return fmt.Errorf("sweep pictures: %w", err)
	}
	for _, app := range s.apps.All() {
		delete(unused, app.Image)
		err := s.data.Profiles.Scan(ctx, app.ID, func(p *model.Profile) error {
			delete(unused, p.Picture)
			return nil
		})
		if err != nil {
			return fmt.Errorf("sweep pictures: %w", err)
		}
	}
	var errs []error
	for hash := range unused {
		errs = append(errs, s.files.DeleteOld(ctx, hash, pictureAge))
	}
	return errors.Join(append(errs, looked())...)
}

// sweepCrowded sweeps early when an app has used half of what may wait for a sweep, which each node counts for itself and settles by a sweep of its own.
func (s *subjects) sweepCrowded(ctx context.Context) error {
	if !s.files.Crowded() {
		return nil
	}
	return s.sweepPictures(ctx)
}
