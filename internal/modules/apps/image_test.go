package apps_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/fault"
	"quipu/internal/intake"
	"quipu/internal/memory"
	"quipu/internal/modules/apps"
)

// written returns an encoded picture.
func written(t *testing.T, encode func(b *bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asPNG(t *testing.T, img image.Image) []byte {
	t.Helper()
	return written(t, func(b *bytes.Buffer) error { return png.Encode(b, img) })
}

// TestVolumeIcons compares what it takes to make icons of pictures with what is charged for it. It is not
// parallel, as it counts for the process.
func TestVolumeIcons(t *testing.T) {
	box := image.Rect(0, 0, 1000, 1500)
	for _, tt := range []struct {
		name  string
		data  []byte
		times float64 // that the charge may be what is taken
	}{
		{"grey", asPNG(t, image.NewGray(box)), 2.5},
		{"grey of 16 bits", asPNG(t, image.NewGray16(box)), 2.5},
		{"opaque", asPNG(t, image.NewRGBA(box)), 2.5},
		{"with alpha", asPNG(t, image.NewNRGBA(box)), 2.5},
		{"of 16 bits", asPNG(t, image.NewNRGBA64(box)), 2.5},
		{"with a palette", asPNG(t, image.NewPaletted(box, palette.Plan9)), 2.5},
		{"interlaced", interlaced(t, 1000, 1500), 2.5},
		{"JPEG", written(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, image.NewRGBA(box), nil) }), 6}, // a progressive one takes that
		{"GIF", written(t, func(b *bytes.Buffer) error { return gif.Encode(b, image.NewPaletted(box, palette.Plan9), nil) }), 2.5},
	} {
		cost, err := apps.Checked(tt.data)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = apps.Scaled()(t.Context(), tt.data)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		took := int64(after.TotalAlloc - before.TotalAlloc)
		if took > cost || float64(took)*tt.times < float64(cost) {
			t.Errorf("%s: %d bytes are taken and %d charged", tt.name, took, cost)
		}
	}
}

// interlaced returns a PNG in which each of the seven passes is there, all black.
func interlaced(t *testing.T, width, height int) []byte {
	t.Helper()
	var out bytes.Buffer
	chunk := func(kind string, data []byte) {
		body := append([]byte(kind), data...)
		out.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
		out.Write(body)
		out.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
	}
	out.WriteString("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(width)), uint32(height))
	chunk("IHDR", append(head, 8, 6, 0, 0, 1)) // 8 bits, red green blue alpha, interlaced
	var rows bytes.Buffer
	z := zlib.NewWriter(&rows)
	for _, p := range [][4]int{{8, 8, 0, 0}, {8, 8, 4, 0}, {4, 8, 0, 4}, {4, 4, 2, 0}, {2, 4, 0, 2}, {2, 2, 1, 0}, {1, 2, 0, 1}} {
		w, h := (width-p[2]+p[0]-1)/p[0], (height-p[3]+p[1]-1)/p[1]
		for range h {
			if _, err := z.Write(make([]byte, 1+4*w)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	chunk("IDAT", rows.Bytes())
	chunk("IEND", nil)
	return out.Bytes()
}

// TestIconsWaitForMemory makes icons while others hold what bodies may take.
func TestIconsWaitForMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := intake.New(intake.Options{
			Governor: memory.New(memory.Split(512<<20), slog.New(slog.DiscardHandler), time.Now), Now: time.Now,
			Client: func(*http.Request) netip.Addr { return netip.MustParseAddr("192.0.2.1") },
		})
		scaled := apps.Scaled()
		small, large := asPNG(t, image.NewGray(image.Rect(0, 0, 40, 20))), asPNG(t, image.NewNRGBA(image.Rect(0, 0, 2000, 2000)))
		upload := func(data []byte) (err error) {
			in.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, err = scaled(r.Context(), data) }), func(string) bool { return false }).
				ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/i/apps/update", nil))
			return err
		}
		others := in.Bodies.Claim(memory.Who{})
		if err := others.Grow(t.Context(), in.Bodies.Size); err != nil {
			t.Fatal(err)
		}
		fe, ok := errors.AsType[*fault.Error](upload(small))
		if !ok || fe.Kind != fault.Unavailable || fe.RetryAfter <= 0 {
			t.Errorf("without room: %v, want an invitation to come back", fe)
		}
		go func() {
			time.Sleep(time.Second)
			others.Leave()
		}()
		if err := upload(small); err != nil {
			t.Errorf("with room soon: %v", err)
		}
		if err := upload(large); err != nil { // beside the gate
			t.Errorf("larger than a share: %v", err)
		}
		if n := in.Bodies.Used(); n != 0 {
			t.Errorf("%d bytes charged at the end", n)
		}
	})
}

// TestLongIcons refuses pictures with a very long side: scaling keeps a part of each line.
func TestLongIcons(t *testing.T) {
	for _, box := range []image.Rectangle{image.Rect(0, 0, 1, 8193), image.Rect(0, 0, 8193, 1)} {
		_, err := apps.Scaled()(context.Background(), asPNG(t, image.NewGray(box)))
		if fault.CodeOf(err) != "apps.icon_too_many_pixels" {
			t.Errorf("%v: %v", box, err)
		}
	}
}
