package document

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	utf "golang.org/x/text/encoding/unicode"
)

// decode gives the text of bytes in UTF-8, UTF-16, GB18030 or Big5, or in what a
// web page declares. A byte order mark decides; then the declaration; then
// whether the bytes are UTF-8; then, for bytes with zeros among them, UTF-16;
// then which Chinese encoding gives the more usual characters. Nothing is
// guessed away: bytes that fit none of them are refused.
func decode(data []byte) (string, error) {
	unknown := refuse(Unsupported, "is not text in UTF-8, UTF-16, GB18030 or Big5, nor a file of another kind that is read here; save it as UTF-8, or send md, html, pdf or docx")
	if e, rest, ok := byteOrderMark(data); ok {
		text, sound := convert(e, rest)
		if !sound {
			return "", refuse(Damaged, "begins as %s but does not go on so; save it as UTF-8", encodingName(e))
		}
		return readable(text, unknown)
	}
	if e, ok := declared(data); ok {
		if text, sound := convert(e, data); sound {
			return readable(text, unknown)
		}
	}
	if utf8.Valid(data) && bytes.IndexByte(data, 0) < 0 {
		return readable(string(data), unknown)
	}
	candidates := []encoding.Encoding{simplifiedchinese.GB18030, traditionalchinese.Big5}
	if bytes.IndexByte(data, 0) >= 0 {
		candidates = []encoding.Encoding{utf16In(utf.LittleEndian), utf16In(utf.BigEndian)}
	}
	best, bestScore := "", 0.0
	for _, e := range candidates {
		text, sound := convert(e, data)
		if score := usual(text); sound && score > bestScore {
			best, bestScore = text, score
		}
	}
	if best == "" {
		return "", unknown
	}
	return readable(best, unknown)
}

func utf16In(order utf.Endianness) encoding.Encoding { return utf.UTF16(order, utf.IgnoreBOM) }

func encodingName(e encoding.Encoding) string {
	if e == utf.UTF8 {
		return "UTF-8"
	}
	return "UTF-16"
}

func byteOrderMark(data []byte) (encoding.Encoding, []byte, bool) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return utf.UTF8, data[3:], true
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return utf16In(utf.LittleEndian), data[2:], true
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return utf16In(utf.BigEndian), data[2:], true
	}
	return nil, nil, false
}

// declared gives the encoding that a web page names in its head. GB2312 and GBK
// are read as GB18030, which holds them.
func declared(data []byte) (encoding.Encoding, bool) {
	head := data[:min(len(data), 1024)]
	if !bytes.Contains(bytes.ToLower(head), []byte("<meta")) {
		return nil, false
	}
	e, name, _ := charset.DetermineEncoding(head, "")
	switch name {
	case "windows-1252": // also the answer when nothing is declared
		return e, bytes.Contains(bytes.ToLower(head), []byte("charset"))
	case "utf-8":
		return utf.UTF8, true
	case "gbk":
		return simplifiedchinese.GB18030, true
	}
	return e, true
}

// convert decodes data and says whether every byte had a meaning.
func convert(e encoding.Encoding, data []byte) (string, bool) {
	if e == utf.UTF8 {
		return string(data), utf8.Valid(data)
	}
	out, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return "", false
	}
	// U+FFFD stands for a byte without meaning; a file that holds the character
	// itself would be UTF-8 or UTF-16.
	text := string(out)
	return text, !strings.ContainsRune(text, utf8.RuneError)
}

// readable refuses text with control characters, which is no text.
func readable(text string, unknown error) (string, error) {
	controls, runes := 0, 0
	for _, r := range text {
		runes++
		if r == 0 {
			return "", unknown
		}
		if r < 0x20 && !strings.ContainsRune("\t\n\r\f\v\x1a\x1b", r) {
			controls++
		}
	}
	if controls*1000 > runes {
		return "", unknown
	}
	if strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' || unicode.IsControl(r) }) == "" {
		return "", refuse(Empty, "has nothing in it but blanks")
	}
	return text, nil
}

// usual says how much of a text, 0 to 1, is made of what texts in English and
// Chinese are mostly made of; 0 where it can be neither. Bytes read in the wrong
// encoding give Han characters too, but rare ones.
func usual(text string) float64 {
	good, all, han, known := 0.0, 0.0, 0, 0
	for _, r := range text {
		all++
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r >= 0x20 && r < 0x7f:
			good++
		case usualHan[r]:
			good++
			han++
			known++
		case r >= 0x3001 && r <= 0x3011 || strings.ContainsRune("，！？：；（）“”‘’…—·、", r):
			good++
		case r >= 0x4e00 && r < 0xa000:
			good += 0.2
			han++
		case unicode.IsLetter(r):
			good += 0.05
		}
	}
	// Among many characters some are usual in any Chinese text, be it a list of
	// names; Korean bytes, say, hit them by chance only.
	if good < all*0.25 || han >= 40 && known*100 < han*17 {
		return 0
	}
	return good / all
}

// usualHan are characters that running Chinese text is full of, simplified and
// traditional.
var usualHan = func() map[rune]bool {
	set := map[rune]bool{}
	for _, r := range "的一是不了在人有我他这這个個们們中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于於着著下自之年过過发發后後作里裡" +
		"用道行所然家种種事成方多经經么麼去法学學如都同现現当當没沒动動面起看定天分还還进進好小部其些主样樣理心她本前开開但因只从從想实實日军軍者意无無力它与與" +
		"长長把机機十民第公此已工使情明性知全三又关關点點正业業外将將两兩高间間由问問很最重并並物手应應战戰向头頭文体體政美相见見被利什二等产產或新己制身果加西斯月话話" +
		"合回特代内內信表化老给給世位次度门門任常先海通教儿兒原东東声聲提立及比员員解水名真论論处處走义義各入几幾口认認条條平系係气氣题題活尔爾更别別打女变變四神总總何电電" +
		"数數安少报報才结結反受目太量再感建务務做接必场場件计計管期市直德资資命山金指克许許统統区區保至队隊形社便空决決治展马馬科司五基眼书書非则則听聽白却卻界达達光放强強即像难難且权權思王象完设設" +
		"式色路记記南品住告类類求据據程北边邊死张張该該交规規万萬取拉格望觉覺术術领領共确確传傳师師观觀清今切院让讓识識候带帶导導争爭运運笔筆您请請吗嗎吧呢喜欢歡谢謝每早晚吃茶饭飯买買钱錢车車店班" {
		set[r] = true
	}
	return set
}()
