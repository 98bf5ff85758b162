package views

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // reads sizes
	_ "image/png"  // reads sizes
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/store/files"
	"quipu/internal/topic"
)

// picture is what a view looks like on a kind of devices.
type picture struct {
	ID     string `json:"_id"` // that of the view, and the kind of devices
	View   string `json:"view"`
	Device string `json:"device"`
	File   string `json:"file"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	// Address is that of the page, "" for an uploaded picture.
	Address string `json:"address"`
	At      int64  `json:"at"` // s
}

// Key returns the id.
func (p picture) Key() string { return p.ID }

// Validate accepts: the service checks what it writes.
func (picture) Validate() error { return nil }

func pictureSpec() docs.Spec[picture] { return docs.Spec[picture]{Name: "views.pictures", Version: 1} }

// The kinds of devices, and how wide pages are that pictures are taken of.
var devices = map[string]int{"phone": 390, "tablet": 820, "desktop": 1280}

// Bounds of pictures.
const (
	maxPictures     = 500      // of an app
	maxPictureBytes = 8 << 20  // of one
	maxPixels       = 40 << 20 // of one; browsers unpack it
	maxSide         = 20_000   // pixels
)

// Faults of pictures.
var (
	errNoSuchView   = fault.New(fault.NotFound, "views.not_found", "There is no such view")
	errNoPicture    = fault.New(fault.NotFound, "views.no_picture", "There is no picture of the view")
	errBadPicture   = fault.New(fault.Invalid, "views.bad_picture", "The picture must be a PNG or a JPEG")
	errLargePicture = fault.Newf(fault.TooLarge, "views.large_picture", "The picture is larger than %d MB, %d megapixels or %d pixels a side", maxPictureBytes>>20, maxPixels>>20, maxSide)
	errFull         = fault.Newf(fault.Conflict, "views.too_many_pictures", "There are already %d pictures, delete some", maxPictures)
	errNoPages      = fault.New(fault.Conflict, "views.no_browser", "The server cannot take screenshots, upload a picture")
)

// pictureReq names a picture.
type pictureReq struct {
	View   string `param:"view"` // id, name or path
	Device string `param:"device"`
}

// pictureOf finds the view and the kind of devices that a request names.
func (s *service) pictureOf(ctx context.Context, c api.Caller, r pictureReq) (picture, error) {
	if devices[r.Device] == 0 {
		return picture{}, bad("Bad request parameter: device")
	}
	list, err := s.data.Schema.Subjects(ctx, c.App.ID, kind)
	if err != nil {
		return picture{}, err
	}
	of, err := s.viewOf(ctx, c, r.View)
	if err != nil {
		return picture{}, err
	}
	for i := range list {
		if list[i].Name == of.Name {
			id := idOf(c.App.ID, of.Name)
			return picture{ID: id + "." + r.Device, View: id, Device: r.Device, At: c.Now.Unix()}, nil
		}
	}
	return picture{}, errNoSuchView
}

// shownPicture is a picture as clients see it.
type shownPicture struct {
	View    string `json:"view"`
	Device  string `json:"device"`
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Address string `json:"address"`
	At      int64  `json:"at"` // s
}

func (p picture) shown() shownPicture {
	return shownPicture{p.View, p.Device, p.Width, p.Height, p.Address, p.At}
}

type picturesReq struct {
	View string `param:"view"`
}

// pictures lists the pictures of a view, or of all.
func (s *service) pictures(ctx context.Context, c api.Caller, r picturesReq) ([]shownPicture, error) {
	out := []shownPicture{}
	id := ""
	if r.View != "" {
		of, err := s.viewOf(ctx, c, r.View)
		if err != nil {
			return out, err
		}
		id = idOf(c.App.ID, of.Name)
	}
	for p, err := range pictureSpec().In(s.docs, c.App.ID).List(ctx, docs.Query{}) {
		if err != nil {
			return out, err
		}
		if id == "" || p.View == id {
			out = append(out, p.shown())
		}
	}
	return out, nil
}

type takeReq struct {
	pictureReq

	Address string `param:"url"`
}

// take takes a picture of the page at an address.
func (s *service) take(ctx context.Context, c api.Caller, r takeReq) (shownPicture, error) {
	p, err := s.pictureOf(ctx, c, r.pictureReq)
	if err != nil {
		return shownPicture{}, err
	}
	p.Address = strings.TrimSpace(r.Address)
	if p.Address == "" {
		return shownPicture{}, api.MissingParam("url")
	}
	data, err := s.pages.Shoot(ctx, kernel.Shot{URL: p.Address, Width: devices[p.Device]})
	if err != nil {
		return shownPicture{}, err
	}
	if data == nil {
		return shownPicture{}, errNoPages
	}
	return s.put(ctx, c, p, data)
}

// upload keeps a picture that a member uploads.
func (s *service) upload(ctx context.Context, c api.Caller, r pictureReq) (shownPicture, error) {
	p, err := s.pictureOf(ctx, c, r)
	if err != nil {
		return shownPicture{}, err
	}
	for _, f := range c.Files {
		if f.Field == "picture" {
			return s.put(ctx, c, p, f.Data)
		}
	}
	return shownPicture{}, api.MissingParam("picture")
}

// measure returns the size of a picture and what its file is called at the end. Nothing is unpacked.
func measure(data []byte) (width, height int, suffix string, err error) {
	if len(data) > maxPictureBytes {
		return 0, 0, "", errLargePicture
	}
	suffix, known := map[string]string{"image/png": ".png", "image/jpeg": ".jpg"}[http.DetectContentType(data)]
	cfg, _, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case !known || err != nil || cfg.Width <= 0 || cfg.Height <= 0:
		return 0, 0, "", errBadPicture
	case cfg.Width > maxSide || cfg.Height > maxSide || cfg.Width > maxPixels/cfg.Height:
		return 0, 0, "", errLargePicture
	}
	return cfg.Width, cfg.Height, suffix, nil
}

// put keeps a picture in place of the one before.
func (s *service) put(ctx context.Context, c api.Caller, p picture, data []byte) (shownPicture, error) {
	var suffix string
	var err error
	if p.Width, p.Height, suffix, err = measure(data); err != nil {
		return shownPicture{}, err
	}
	s.keeping.Lock()
	defer s.keeping.Unlock()
	col := pictureSpec().In(s.docs, c.App.ID)
	before, err := col.Get(ctx, p.ID)
	switch {
	case docs.IsNotFound(err):
		n, err := col.Count(ctx, docs.Query{})
		if err != nil {
			return shownPicture{}, err
		}
		if n >= maxPictures {
			return shownPicture{}, errFull
		}
	case err != nil:
		return shownPicture{}, err
	}
	p.File = c.App.ID.String() + "_" + model.NewID().String() + suffix
	w, err := s.folder.Create(p.File)
	if err != nil {
		return shownPicture{}, err
	}
	if _, err := w.Write(data); err != nil {
		return shownPicture{}, errors.Join(err, w.Abort())
	}
	if err := w.Commit(ctx); err != nil {
		return shownPicture{}, err
	}
	if err := col.Put(ctx, p); err != nil {
		return shownPicture{}, errors.Join(err, s.folder.Remove(ctx, p.File))
	}
	if before.File != "" {
		if err := s.folder.Remove(ctx, before.File); err != nil {
			return shownPicture{}, err
		}
	}
	c.Audit("", nil, p.shown(), nil)
	return p.shown(), nil
}

// removePicture forgets a picture.
func (s *service) removePicture(ctx context.Context, c api.Caller, r pictureReq) (api.Result, error) {
	p, err := s.pictureOf(ctx, c, r)
	if err != nil {
		return api.Result{}, err
	}
	gone, err := s.dropPictures(ctx, c.App.ID, []string{p.ID})
	if err != nil {
		return api.Result{}, err
	}
	if gone == 0 {
		return api.Result{}, errNoPicture
	}
	c.Audit("", p.shown(), nil, nil)
	return api.Success(), nil
}

// dropPictures deletes those pictures of an app that are there, and says how many these were.
func (s *service) dropPictures(ctx context.Context, app model.AppID, ids []string) (int, error) {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	col, n := pictureSpec().In(s.docs, app), 0
	for _, id := range ids {
		p, err := col.Get(ctx, id)
		if docs.IsNotFound(err) {
			continue
		}
		if err != nil {
			return n, err
		}
		if err := col.Delete(ctx, id); err != nil && !docs.IsNotFound(err) {
			return n, err
		}
		if err := s.folder.Remove(ctx, p.File); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// dropPicturesOf deletes the pictures of views.
func (s *service) dropPicturesOf(ctx context.Context, app model.AppID, views []view) error {
	var ids []string
	for _, v := range views {
		for device := range devices {
			ids = append(ids, v.id+"."+device)
		}
	}
	_, err := s.dropPictures(ctx, app, ids)
	return err
}

// pictureAge is how long browsers may keep a picture, s: its address has the time at which it was made.
const pictureAge = 3600

// image answers a picture.
func (s *service) image(w http.ResponseWriter, c api.Caller, r pictureReq) error {
	ctx := c.Request().Context()
	named, err := s.pictureOf(ctx, c, r)
	if err != nil {
		return err
	}
	p, err := pictureSpec().In(s.docs, c.App.ID).Get(ctx, named.ID)
	if docs.IsNotFound(err) {
		return errNoPicture
	}
	if err != nil {
		return err
	}
	f, err := s.folder.Open(ctx, p.File)
	if errors.Is(err, files.ErrNotFound) {
		return errNoPicture
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("size of picture: %w", err)
	}
	h := w.Header()
	h.Set("Content-Type", "image/jpeg")
	if path.Ext(p.File) == ".png" {
		h.Set("Content-Type", "image/png")
	}
	h.Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private, max-age="+strconv.Itoa(pictureAge))
	_, err = io.Copy(w, f)
	return err
}

// forgetPictures removes the pictures of an app that was reset or deleted.
func (s *service) forgetPictures(ctx context.Context, app model.AppID) error {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	_, err := pictureSpec().In(s.docs, app).DeleteWhere(ctx, docs.Query{})
	return errors.Join(err, s.folder.RemoveAll(ctx, app.String()+"_"))
}

func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	return s.forgetPictures(ctx, ev.App)
}

// sweepEvery is how often files are looked for that no document names: a server that stopped between the two left them.
const sweepEvery = 24 * time.Hour

// sweep deletes such files.
func (s *service) sweep(ctx context.Context) error {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	var known []string
	for p, err := range pictureSpec().AcrossApps(s.docs, "files of all apps lie in one folder").List(ctx, docs.Query{}) {
		if err != nil {
			return err
		}
		known = append(known, p.Doc.File)
	}
	slices.Sort(known)
	return s.folder.Sweep(ctx, func(name string) bool {
		_, found := slices.BinarySearch(known, name)
		return found
	})
}
