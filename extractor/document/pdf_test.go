package document_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"relata/extractor/document"
)

func TestPDFGivesParagraphsAndHeadingsInOrder(t *testing.T) {
	data := textPDF("Staff handbook 员工手册",
		[]pdfText{
			{24, 72, 780, "Travel"},
			{11, 72, 740, "Trips are booked by the office. A trip that costs"},
			{11, 72, 726, "more than 500 euros needs a manager (any)."},
			{11, 72, 690, "Trains come first."},
			{16, 72, 650, "差旅报销"},
			{11, 72, 620, "出差结束后七天内，员工应当提交报销单和全部"},
			{11, 72, 606, "发票。超过期限的，须由经理说明原因。"},
		},
		[]pdfText{{11, 72, 780, "The second page, in Halle."}})
	got := read(t, "upload.bin", data)
	want := document.Document{
		Kind: document.PDF, Title: "Staff handbook 员工手册", Pages: 2,
		Blocks: []document.Block{
			{Kind: document.Heading, Level: 1, Text: "Travel"},
			{Text: "Trips are booked by the office. A trip that costs more than 500 euros needs a manager (any)."},
			{Text: "Trains come first."},
			{Kind: document.Heading, Level: 2, Text: "差旅报销"},
			{Text: "出差结束后七天内，员工应当提交报销单和全部发票。超过期限的，须由经理说明原因。"},
			{Text: "The second page, in Halle."},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPDFRefusals(t *testing.T) {
	one := []pdfText{{11, 72, 700, "A page."}}
	tests := map[string]struct {
		data   []byte
		limits document.Limits
		want   document.Code
		says   string
	}{
		"a password":             {encryptedPDF(), document.Limits{}, document.Encrypted, "password"},
		"a scan":                 {scannedPDF(), document.Limits{}, document.NoText, "scanned"},
		"too many pages":         {textPDF("", one, one, one), document.Limits{Pages: 2}, document.TooLarge, "3 pages"},
		"too much text":          {textPDF("", one, one, one), document.Limits{Text: 10}, document.TooLarge, "10 bytes"},
		"cut off":                {[]byte("%PDF-1.7\n1 0 obj\n<< /Type /Catalog"), document.Limits{}, document.Damaged, "damaged"},
		"longer than its time":   {bombPDF(50 << 20), document.Limits{Time: 200 * time.Millisecond}, document.TooLarge, "longer"},
		"more memory than given": {bombPDF(200 << 20), document.Limits{Time: time.Hour}, document.Damaged, "memory"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := reader.Read(t.Context(), "plan.pdf", test.data, test.limits)
			if codeOf(err) != test.want || !strings.Contains(err.Error(), test.says) || !strings.HasPrefix(err.Error(), `"plan.pdf" `) {
				t.Errorf("got %v: %v, want %v with %q", codeOf(err), err, test.want, test.says)
			}
		})
	}
}

func TestPDFStopsWithItsContext(t *testing.T) {
	read(t, "warm.pdf", textPDF("", []pdfText{{11, 72, 700, "The engine is compiled."}}))
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := reader.Read(ctx, "slow.pdf", bombPDF(50<<20), document.Limits{})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error", err)
	}
	read(t, "next.pdf", textPDF("", []pdfText{{11, 72, 700, "And reads the next one."}}))
}

func TestClosedReader(t *testing.T) {
	var r document.Reader
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(t.Context(), "a.pdf", scannedPDF(), document.Limits{}); err == nil || codeOf(err) != "" {
		t.Errorf("got %v, want an error that does not blame the file", err)
	}
}
