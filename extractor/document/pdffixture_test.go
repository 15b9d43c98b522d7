package document_test

import (
	"bytes"
	"compress/zlib"
	"crypto/md5"
	"crypto/rc4"
	"fmt"
	"strings"
	"unicode/utf16"
)

// pdfFile writes a PDF by hand: the bodies of its objects, the first of which is
// the catalog, then a table of where they stand and the trailer.
func pdfFile(trailer string, objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
	at := make([]int, len(objects))
	for i, o := range objects {
		at[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, trailer, table)
	return b.Bytes()
}

func pdfStream(dict, data string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(data), data)
}

// pdfText is a line of text at a place and in a size.
type pdfText struct {
	size, x, y int
	text       string
}

// textPDF has one page for each list of lines. English is shown in Helvetica,
// which is not embedded; Chinese in a font whose codes are UTF-16, with a map
// from codes to characters as Word writes one.
func textPDF(title string, pages ...[]pdfText) []byte {
	toUnicode := "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def /CMapType 2 def\n" +
		"1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"", // the page tree, below
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		"<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /Identity-H /DescendantFonts [5 0 R] /ToUnicode 7 0 R >>",
		"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 6 0 R /DW 1000 >>",
		"<< /Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 -120 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 80 >>",
		"", // the map to Unicode, below
		"<< /Title <FEFF" + hex16(title) + "> >>",
	}
	var used []string
	kids := ""
	for _, page := range pages {
		content := ""
		for _, t := range page {
			if strings.ContainsFunc(t.text, func(r rune) bool { return r > 0xff }) {
				content += fmt.Sprintf("BT /F2 %d Tf %d %d Td <%s> Tj ET\n", t.size, t.x, t.y, hex16(t.text))
				for _, r := range t.text {
					used = append(used, fmt.Sprintf("<%s> <%s>", hex16(string(r)), hex16(string(r))))
				}
				continue
			}
			content += fmt.Sprintf("BT /F1 %d Tf %d %d Td (%s) Tj ET\n", t.size, t.x, t.y, strings.NewReplacer("(", `\(`, ")", `\)`).Replace(t.text))
		}
		n := len(objects) + 1
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents %d 0 R >>", n+1),
			pdfStream("", content))
		kids += fmt.Sprintf("%d 0 R ", n)
	}
	for len(used) > 0 {
		n := min(len(used), 100)
		toUnicode += fmt.Sprintf("%d beginbfchar\n%s\nendbfchar\n", n, strings.Join(used[:n], "\n"))
		used = used[n:]
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids, len(pages))
	objects[6] = pdfStream("", toUnicode+"endcmap CMapName currentdict /CMap defineresource pop end end")
	return pdfFile("/Info 8 0 R", objects...)
}

func hex16(s string) string {
	out := ""
	for _, u := range utf16.Encode([]rune(s)) {
		out += fmt.Sprintf("%04X", u)
	}
	return out
}

// scannedPDF has one page with a picture and no text.
func scannedPDF() []byte {
	return pdfFile("",
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << /XObject << /I 4 0 R >> >> /Contents 5 0 R >>",
		pdfStream("/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8", "\x00\xff\xff\x00"),
		pdfStream("", "q 200 0 0 200 0 0 cm /I Do Q"))
}

// bombPDF has one page whose content unpacks to size bytes of drawing.
func bombPDF(size int) []byte {
	var packed bytes.Buffer
	z, _ := zlib.NewWriterLevel(&packed, zlib.BestCompression)
	line := []byte(strings.Repeat("BT /F1 9 Tf (a) Tj ET ", 1000))
	for written := 0; written < size; written += len(line) {
		z.Write(line)
	}
	z.Close()
	return pdfFile("",
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		pdfStream("/Filter /FlateDecode", packed.String()))
}

// encryptedPDF opens only with the password "open": the standard handler with
// RC4 and 40 bits, as old as it is simple.
func encryptedPDF() []byte {
	const padding = "\x28\xbf\x4e\x5e\x4e\x75\x8a\x41\x64\x00\x4e\x56\xff\xfa\x01\x08\x2e\x2e\x00\xb6\xd0\x68\x3e\x80\x2f\x0c\xa9\xfe\x64\x53\x69\x7a"
	const id = "0123456789abcdef"
	permissions := []byte{0xfc, 0xff, 0xff, 0xff}
	password := ("open" + padding)[:32]
	ownerKey := md5.Sum([]byte(password))
	owner := rc4Of(ownerKey[:5], password)
	key := md5.Sum([]byte(password + owner + string(permissions) + id))
	user := rc4Of(key[:5], padding)
	content := "BT /F1 12 Tf 20 100 Td (secret plans) Tj ET"
	objectKey := md5.Sum(append(append([]byte{}, key[:5]...), 5, 0, 0, 0, 0))
	return pdfFile(fmt.Sprintf("/Encrypt 6 0 R /ID [<%x> <%x>]", id, id),
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		pdfStream("", rc4Of(objectKey[:10], content)),
		fmt.Sprintf("<< /Filter /Standard /V 1 /R 2 /O <%x> /U <%x> /P -4 >>", owner, user))
}

func rc4Of(key []byte, text string) string {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err)
	}
	out := make([]byte, len(text))
	c.XORKeyStream(out, []byte(text))
	return string(out)
}
