package document_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"relata/extractor/document"
)

func pngOf(w, h int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	img.Set(0, 0, color.White)
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func jpegOf(w, h int) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, w, h)), nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// resized writes other sides into the header of a PNG.
func resized(data []byte, w, h uint32) []byte {
	out := bytes.Clone(data)
	binary.BigEndian.PutUint32(out[16:], w)
	binary.BigEndian.PutUint32(out[20:], h)
	binary.BigEndian.PutUint32(out[29:], crc32.ChecksumIEEE(out[12:29]))
	return out
}

// webpDot is a lossless WebP of one pixel.
func webpDot() []byte {
	data, err := base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
	if err != nil {
		panic(err)
	}
	return data
}

func webpAnimation() []byte {
	chunk := "VP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00" + "ANIM\x06\x00\x00\x00\xff\xff\xff\xff\x00\x00"
	return []byte("RIFF" + string(binary.LittleEndian.AppendUint32(nil, uint32(4+len(chunk)))) + "WEBP" + chunk)
}

func TestReadImage(t *testing.T) {
	tests := map[string]struct {
		data []byte
		kind string
		w, h int
	}{
		"png":  {pngOf(30, 20), "image/png", 30, 20},
		"jpeg": {jpegOf(16, 9), "image/jpeg", 16, 9},
		"webp": {webpDot(), "image/webp", 1, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := document.ReadImage(test.data, document.ImageLimits{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Type != test.kind || got.Width != test.w || got.Height != test.h || len(got.SHA256) != 64 || !bytes.Equal(got.Data, test.data) {
				t.Errorf("got %s %d×%d %s", got.Type, got.Width, got.Height, got.SHA256)
			}
		})
	}
}

func TestImageRefusals(t *testing.T) {
	var animation bytes.Buffer
	if err := gif.Encode(&animation, image.NewGray(image.Rect(0, 0, 2, 2)), nil); err != nil {
		t.Fatal(err)
	}
	photo := jpegOf(64, 64)
	tests := map[string]struct {
		data   []byte
		limits document.ImageLimits
		want   document.Code
		says   string
	}{
		"no bytes":                 {nil, document.ImageLimits{}, document.Empty, "no bytes"},
		"too many bytes":           {pngOf(30, 20), document.ImageLimits{Bytes: 50}, document.TooLarge, "50 bytes"},
		"a gif":                    {animation.Bytes(), document.ImageLimits{}, document.Unsupported, "image/gif"},
		"text":                     {[]byte("not a picture"), document.ImageLimits{}, document.Unsupported, "text/plain"},
		"an animated webp":         {webpAnimation(), document.ImageLimits{}, document.Unsupported, "animation"},
		"sides only in the header": {resized(pngOf(2, 2), 60000, 60000), document.ImageLimits{}, document.TooLarge, "60000 by 60000"},
		"pixels in the header":     {resized(pngOf(2, 2), 11000, 11000), document.ImageLimits{}, document.TooLarge, "40000000 in all"},
		"no pixels":                {resized(pngOf(2, 2), 0, 2), document.ImageLimits{}, document.Damaged, ""},
		"more pixels than data":    {resized(pngOf(2, 2), 2000, 2000), document.ImageLimits{}, document.Damaged, "cut short"},
		"a jpeg cut short":         {photo[:len(photo)/2], document.ImageLimits{}, document.Damaged, "cut short"},
		"a png cut short":          {pngOf(30, 20)[:60], document.ImageLimits{}, document.Damaged, "cut short"},
		"a webp cut short":         {webpDot()[:24], document.ImageLimits{}, document.Damaged, "cut short"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := document.ReadImage(test.data, test.limits)
			if codeOf(err) != test.want || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v: %v, want %v with %q", codeOf(err), err, test.want, test.says)
			}
		})
	}
}

func FuzzReadImage(f *testing.F) {
	for _, data := range [][]byte{pngOf(3, 3), jpegOf(8, 8), webpDot(), webpAnimation(), nil} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := document.ReadImage(data, document.ImageLimits{Pixels: 1 << 16})
		if err != nil {
			if codeOf(err) == "" {
				t.Fatalf("an error without a code: %v", err)
			}
			return
		}
		if img.Width < 1 || img.Height < 1 || img.Width*img.Height > 1<<16 {
			t.Fatalf("%d×%d came through", img.Width, img.Height)
		}
	})
}
