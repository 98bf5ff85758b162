package decode

import (
	"bytes"
	"crypto/sha256"
)

// pixelPNG is a transparent picture of one pixel.
const pixelPNG = "\x89PNG\r\n\x1a\n" +
	"\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
	"\x00\x00\x00\x0bIDAT\x78\xda\x63\x60\x00\x02\x00\x00\x05\x00\x01\xe9\xfa\xdc\xd8" +
	"\x00\x00\x00\x00IEND\xaeB\x60\x82"

// pictureType tells the media type of a picture by its content; "" when it
// is none of those accepted.
func pictureType(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(b, []byte("GIF87a")), bytes.HasPrefix(b, []byte("GIF89a")):
		return "image/gif"
	case len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

func pictureHash(b []byte) [sha256.Size]byte { return sha256.Sum256(b) }
