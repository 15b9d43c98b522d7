package document

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/gabriel-vasile/mimetype"
	"golang.org/x/image/webp"
)

// ImageLimits bound what one picture may cost. A field that is 0 has the default
// named beside it.
type ImageLimits struct {
	Bytes  int64 // of the file: 10 MB
	Side   int   // the longer side in pixels: 12,000
	Pixels int   // width times height: 40 million
}

func (l ImageLimits) filled() ImageLimits {
	if l.Bytes == 0 {
		l.Bytes = 10 << 20
	}
	if l.Side == 0 {
		l.Side = 12_000
	}
	if l.Pixels == 0 {
		l.Pixels = 40_000_000
	}
	return l
}

// Image is a picture that was checked and decoded once. Data are the bytes as
// they came.
type Image struct {
	Type          string // "image/png", "image/jpeg" or "image/webp"
	Width, Height int    // pixels, as stored: a turn noted in the file is not applied
	SHA256        string // of Data, in hex
	Data          []byte
}

type imageFormat struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var imageFormats = map[string]imageFormat{
	"image/png":  {png.DecodeConfig, png.Decode},
	"image/apng": {png.DecodeConfig, png.Decode}, // its first picture
	"image/jpeg": {jpeg.DecodeConfig, jpeg.Decode},
	"image/webp": {webp.DecodeConfig, webp.Decode},
}

// ReadImage checks a picture: its type by content, its size in bytes, and its
// sides and pixels by its header before anything is unpacked; then it is decoded,
// so that what goes to a model is whole. The error is an [*Error].
func ReadImage(data []byte, limits ImageLimits) (_ Image, err error) {
	limits = limits.filled()
	defer guard("the image", &err)
	switch {
	case len(data) == 0:
		return Image{}, refuse(Empty, "the image is empty: it has no bytes")
	case int64(len(data)) > limits.Bytes:
		return Image{}, refuse(TooLarge, "the image has %s, more than the limit of %s; send a smaller copy", bytesText(int64(len(data))), bytesText(limits.Bytes))
	}
	is := mimetype.Detect(data)
	format, ok := imageFormats[is.String()]
	if !ok {
		return Image{}, refuse(Unsupported, "the image is of type %s; send png, jpeg or webp", is)
	}
	if is.Is("image/webp") && animated(data) {
		return Image{}, refuse(Unsupported, "the image is an animation; send one of its pictures as png, jpeg or webp")
	}
	config, err := format.config(bytes.NewReader(data))
	if err != nil {
		return Image{}, damagedImage(err)
	}
	w, h := config.Width, config.Height
	switch {
	case w < 1 || h < 1:
		return Image{}, refuse(Damaged, "the image is %d by %d pixels; save it anew and send that", w, h)
	case w > limits.Side || h > limits.Side:
		return Image{}, refuse(TooLarge, "the image is %d by %d pixels, more than the limit of %d a side; send a smaller copy", w, h, limits.Side)
	case w > limits.Pixels/h:
		return Image{}, refuse(TooLarge, "the image has %d by %d pixels, more than the limit of %d in all; send a smaller copy", w, h, limits.Pixels)
	}
	if _, err := format.decode(bytes.NewReader(data)); err != nil {
		return Image{}, damagedImage(err)
	}
	sum := sha256.Sum256(data)
	kind := is.String()
	if kind == "image/apng" {
		kind = "image/png"
	}
	return Image{Type: kind, Width: w, Height: h, SHA256: hex.EncodeToString(sum[:]), Data: data}, nil
}

func damagedImage(err error) error {
	return refuse(Damaged, "the image is damaged or cut short: it could not be decoded; save it anew and send that").because(err)
}

// animated reads the animation flag of an extended WebP header.
func animated(webp []byte) bool {
	const flags, animation = 20, 0x02
	return len(webp) > flags && string(webp[12:16]) == "VP8X" && webp[flags]&animation != 0
}
