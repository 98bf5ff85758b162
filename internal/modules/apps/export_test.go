package apps

import "context"

// Checked returns what it is reckoned to take to make an icon of a picture, bytes.
func Checked(data []byte) (int64, error) { return checked(data) }

// Scaled makes icons of pictures.
func Scaled() func(ctx context.Context, data []byte) ([]byte, error) {
	return (&service{decoding: make(chan struct{}, 1)}).scaled
}
