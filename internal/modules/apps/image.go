package apps

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // decoder of icons
	_ "image/jpeg" // decoder of icons
	"image/png"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/image/draw"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
)

const (
	iconSize     = 150      // pixels, both ways
	maxIconBytes = 5 << 20  // of the upload
	maxPixels    = 16 << 20 // of the upload; larger ones are refused before decoding
)

// icon stores the uploaded icon, if there is one, as a square PNG and returns its hash.
func (s *service) icon(ctx context.Context, uploads []params.File) (string, error) {
	for _, f := range uploads {
		if f.Field != "app_image" {
			continue
		}
		data, err := s.scaled(ctx, f.Data)
		if err != nil {
			return "", err
		}
		return s.files.Put(ctx, data, maxIconBytes, []string{"image/png"})
	}
	return "", nil
}

// scaled is square, one picture at a time: a decoded one takes up to eight bytes a pixel.
func (s *service) scaled(ctx context.Context, data []byte) ([]byte, error) {
	select {
	case s.decoding <- struct{}{}:
		defer func() { <-s.decoding }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return square(data)
}

// square scales a picture to iconSize and encodes it as PNG.
func square(data []byte) ([]byte, error) {
	if len(data) > maxIconBytes {
		return nil, fault.New(fault.TooLarge, "apps.icon_too_large", "Image is too large")
	}
	bad := fault.New(fault.Invalid, "apps.bad_icon", "Image must be a PNG, JPEG or GIF")
	cfg, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || cfg.Width <= 0 || cfg.Height <= 0 {
		return nil, bad
	}
	if cfg.Width > maxPixels/cfg.Height {
		return nil, fault.New(fault.TooLarge, "apps.icon_too_many_pixels", "Image has more than 16 megapixels")
	}
	src, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, bad
	}
	dst := image.NewRGBA(image.Rect(0, 0, iconSize, iconSize))
	draw.CatmullRom.Scale(dst, dst.Bounds(), src, src.Bounds(), draw.Over, nil)
	return encode(dst)
}

// defaultIcon is shown for apps without one: a plain rounded tile.
func defaultIcon() ([]byte, error) {
	const radius = 30
	img := image.NewRGBA(image.Rect(0, 0, iconSize, iconSize))
	for y := range iconSize {
		for x := range iconSize {
			dx, dy := max(radius-x, x-(iconSize-1-radius), 0), max(radius-y, y-(iconSize-1-radius), 0)
			if dx*dx+dy*dy <= radius*radius {
				img.Set(x, y, color.RGBA{R: 0x3b, G: 0x5b, B: 0xdb, A: 0xff})
			}
		}
	}
	return encode(img)
}

func encode(img image.Image) ([]byte, error) {
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		return nil, fmt.Errorf("encode icon: %w", err)
	}
	return buf.Bytes(), nil
}

// image answers /appimages/<app id>.png; every other name gets the default icon.
func (s *service) image(w http.ResponseWriter, c api.Caller) error {
	data, err := s.imageOf(c.Request().Context(), strings.TrimSuffix(c.PathValues["file"], ".png"))
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Content-Length", strconv.Itoa(len(data)))
	h.Set("Cache-Control", "public, max-age="+strconv.Itoa(int(imageMaxAge.Seconds())))
	_, err = w.Write(data)
	return err
}

func (s *service) imageOf(ctx context.Context, name string) ([]byte, error) {
	if id, err := model.ParseID(name); err == nil {
		if app := s.apps.ByID(id); app != nil && app.Image != "" {
			return s.files.Get(ctx, app.Image)
		}
	}
	return defaultIcon()
}
