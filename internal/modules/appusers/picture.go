package appusers

import (
	"bytes"
	"context"
	"errors"
	"image"
	_ "image/gif"  // reads sizes
	_ "image/jpeg" // reads sizes
	_ "image/png"  // reads sizes
	"net/http"
	"slices"
	"strconv"

	_ "golang.org/x/image/webp" // reads sizes

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/files"
	"quipu/internal/store/profile"
)

const (
	// maxPixels is how many pixels a picture may have that browsers are given.
	maxPixels = 16 << 20
	// pictureMaxAge is how long browsers may keep a picture, seconds.
	pictureMaxAge = 3600
)

// errNoPicture answers for users without an uploaded picture, and for apps without the user.
var errNoPicture = fault.New(fault.NotFound, "app_users.no_picture", "User has no uploaded picture")

// pictureReq names a user by the number that the app gave or by the id of a device.
type pictureReq struct {
	UID string `param:"uid"`
	DID string `param:"did"`
}

// picture answers with the picture that was uploaded for a user of the app, who is named by uid or did. A picture
// that is an address elsewhere is in the user's details; the server does not fetch it.
func (s *service) picture(w http.ResponseWriter, c api.Caller, r pictureReq) error {
	ctx := c.Request().Context()
	data, err := s.pictureOf(ctx, c.App, detailsReq{UID: r.UID, DID: r.DID})
	if err != nil {
		return err
	}
	mediaType, ok := shown(data)
	if !ok {
		return errNoPicture
	}
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(data)))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private, max-age="+strconv.Itoa(pictureMaxAge))
	_, err = w.Write(data)
	return err
}

func (s *service) pictureOf(ctx context.Context, app *model.App, of detailsReq) ([]byte, error) {
	if of.UID == "" && of.DID == "" {
		return nil, api.MissingParam("uid")
	}
	p, err := s.one(ctx, app, of)
	if errors.Is(err, profile.ErrNotFound) {
		return nil, errNoPicture
	}
	if err != nil {
		return nil, err
	}
	data, err := s.subjects.files.Get(ctx, p.Picture)
	if errors.Is(err, files.ErrNotFound) { // an address, or nothing
		return nil, errNoPicture
	}
	return data, err
}

// shown returns the media type of a picture that browsers may be given: one of the accepted types by its bytes, with a
// header that can be read, and of a bounded size.
func shown(data []byte) (mediaType string, ok bool) {
	mediaType = http.DetectContentType(data)
	if !slices.Contains(files.Images(), mediaType) {
		return "", false
	}
	cfg, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || "image/"+format != mediaType || cfg.Width <= 0 || cfg.Height <= 0 || cfg.Width > maxPixels/cfg.Height {
		return "", false
	}
	return mediaType, true
}
