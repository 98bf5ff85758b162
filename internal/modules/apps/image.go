package apps

import (
	"bytes"
	"context"
	"errors"
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
	"quipu/internal/intake"
	"quipu/internal/memory"
	"quipu/internal/model"
	"quipu/internal/params"
)

const (
	iconSize     = 150      // pixels, both ways
	maxIconBytes = 5 << 20  // of the upload
	maxPixels    = 16 << 20 // of the upload; larger ones are refused before decoding
	maxSide      = 8192     // pixels of the upload; scaling keeps iconSize columns of each line
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

// scaled is square, one picture at a time, and charged as it will be when it is decoded.
func (s *service) scaled(ctx context.Context, data []byte) ([]byte, error) {
	select {
	case s.decoding <- struct{}{}:
		defer func() { <-s.decoding }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	cost, err := checked(data)
	if err != nil {
		return nil, err
	}
	leave, err := intake.Hold(ctx, cost)
	switch {
	case errors.Is(err, memory.ErrBusy):
		return nil, &fault.Error{Kind: fault.Unavailable, Code: "server.busy", Msg: "Server is busy, try again later", RetryAfter: intake.ComeBack}
	case err != nil:
		return nil, fmt.Errorf("wait for memory: %w", err)
	}
	defer leave()
	return square(data)
}

var errBadIcon = fault.New(fault.Invalid, "apps.bad_icon", "Image must be a PNG, JPEG or GIF")

// checked returns how many bytes it takes to make an icon of a picture. Faults: apps.icon_too_large,
// apps.icon_too_many_pixels, apps.bad_icon.
func checked(data []byte) (cost int64, err error) {
	if len(data) > maxIconBytes {
		return 0, fault.New(fault.TooLarge, "apps.icon_too_large", "Image is too large")
	}
	cfg, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || cfg.Width <= 0 || cfg.Height <= 0 {
		return 0, errBadIcon
	}
	if cfg.Width > maxPixels/cfg.Height {
		return 0, fault.New(fault.TooLarge, "apps.icon_too_many_pixels", "Image has more than 16 megapixels")
	}
	if cfg.Width > maxSide || cfg.Height > maxSide {
		return 0, fault.New(fault.TooLarge, "apps.icon_too_many_pixels", "Image has a side of more than 8192 pixels")
	}
	const (
		column = 4 * 8   // bytes of a pixel while it is scaled
		fixed  = 2 << 20 // for the decoder, the icon and its encoder
	)
	return int64(cfg.Width)*int64(cfg.Height)*pixelCost(cfg, format) + int64(cfg.Height)*iconSize*column + fixed, nil
}

// pixelCost is how many bytes a decoder takes for a pixel at most.
func pixelCost(cfg image.Config, format string) int64 {
	if format == "jpeg" {
		// Three or four planes, and those of a progressive picture are kept as coefficients of four bytes, too.
		if cfg.ColorModel == color.CMYKModel {
			return 4 + 4 + 4*4
		}
		return 3 + 3*4
	}
	size := int64(1) // an index into a palette, or grey
	switch cfg.ColorModel {
	case color.Gray16Model:
		size = 2
	case color.RGBAModel, color.NRGBAModel:
		size = 4
	case color.RGBA64Model, color.NRGBA64Model:
		size = 8
	}
	if format == "png" { // one that is interlaced is decoded in parts
		return 2 * size
	}
	return size
}

// square scales a checked picture to iconSize and encodes it as PNG.
func square(data []byte) ([]byte, error) {
	src, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, errBadIcon
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
