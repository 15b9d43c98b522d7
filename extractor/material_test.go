package extractor_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"relata/extractor"
	"relata/graph"
)

func parts(t *testing.T, e *extractor.Extractor, m extractor.Material) []extractor.Part {
	t.Helper()
	out, err := e.Parts(t.Context(), m, "")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestADocumentIsReadIntoFactsThatNameTheirChunk(t *testing.T) {
	w := harbour()
	m := says(`{"key":"工时","memory_type":"LongTermMemory","value":"核心工作时间是10:00至16:00。","tags":["出勤"]}`,
		mems(incs("<increment><subject>北辰机器人</subject><object>工时</object><relation>has_property</relation><content>北辰机器人的核心工作时间是10:00至16:00。</content><msg_ids>1</msg_ids></increment>")))
	e := newExtractor(t, w, m)
	material := extractor.Material{
		Space: "harbour-cafe", Session: "doc-1", Title: "手册", Date: "2026-06-08 10:00:00", GivenBy: "阿岩", VisibleTo: []string{"满满"},
		Name: "handbook.md", Data: []byte("# 员工手册\n\n核心工作时间为工作日10:00至16:00。\n"),
	}
	got := parts(t, e, material)
	if len(got) != 1 {
		t.Fatalf("%d parts, want 1", len(got))
	}
	if _, err := e.Read(t.Context(), got[0], extractor.IngestOptions{By: "alice"}); err != nil {
		t.Fatal(err)
	}
	s := w.submissions()[0]
	if s.How != graph.HowRead || s.By != "alice" || s.Session != "doc-1" || len(s.Sources) != 1 {
		t.Errorf("how %q, by %q, session %q, %d sources", s.How, s.By, s.Session, len(s.Sources))
	}
	src := s.Sources[0]
	if src.Kind != graph.SourceChunk || src.Name != "手册" || src.Speaker != "阿岩" || !strings.Contains(src.Content, "核心工作时间为工作日") {
		t.Errorf("source %+v", src)
	}
	for what, d := range map[string]string{
		"known by":                    cmp.Diff([]string{"满满"}, s.KnownBy),
		"who may read the chunk":      cmp.Diff([]string{"小满"}, src.Present),
		"what the memory comes from":  cmp.Diff([]int64{src.SourceID}, s.Proposal.Memories.Increments[0].MsgIDs),
		"what was asked":              cmp.Diff([]string{"reader", "diff"}, []string{m.requests()[0].Step, m.requests()[1].Step}),
		"the same material, the same": cmp.Diff(got[0].Key, parts(t, e, material)[0].Key),
	} {
		if d != "" {
			t.Errorf("%s: %s", what, d)
		}
	}
	r, err := e.Read(t.Context(), got[0], extractor.IngestOptions{})
	if err != nil || !r.Repeated {
		t.Errorf("the same part again: repeated %v, error %v", r.Repeated, err)
	}
}

func TestWithoutVisibleToEveryPersonaKnowsADocument(t *testing.T) {
	w := harbour()
	m := says(`{"memory list":[{"key":"k","value":"潮汐咖啡周二店休。","tags":[]}],"summary":"s"}`, mems(incs(inc("潮汐咖啡周二店休。"))))
	e := newExtractor(t, w, m)
	p := parts(t, e, extractor.Material{Space: "harbour-cafe", Title: "告示", Text: "潮汐咖啡周二店休。"})
	if _, err := e.Read(t.Context(), p[0], extractor.IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"小满", "Lumen", "墨鱼"}, w.submissions()[0].KnownBy); diff != "" {
		t.Error(diff)
	}
}

func TestALongDocumentIsReadInPartsWithoutLoss(t *testing.T) {
	var text strings.Builder
	for i := range 900 {
		fmt.Fprintf(&text, "第%d条：港口的规矩是每天早上六点开门，晚上十点关门，节日除外。\n\n", i)
	}
	w := harbour()
	e := newExtractor(t, w, says(`{"key":"k","value":"港口早上六点开门。","tags":[]}`, mems(incs(inc("港口早上六点开门。")))))
	all := parts(t, e, extractor.Material{Space: "harbour-cafe", Session: "long", Name: "规矩.txt", Data: []byte(text.String())})
	if len(all) < 3 {
		t.Fatalf("%d parts of %d bytes", len(all), text.Len())
	}
	var whole strings.Builder
	keys := make(map[string]bool)
	for _, p := range all {
		keys[p.Key] = true
		whole.WriteString(strings.Join(p.Chunks, "\n"))
	}
	for i := range 900 {
		if !strings.Contains(whole.String(), fmt.Sprintf("第%d条", i)) {
			t.Fatalf("rule %d is in no part", i)
		}
	}
	if len(keys) != len(all) {
		t.Errorf("%d keys for %d parts", len(keys), len(all))
	}
}

func TestAnImageIsSentAndKeptByHash(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 4, 3))); err != nil {
		t.Fatal(err)
	}
	w := harbour()
	m := says(`{"memory list":[{"key":"蛋糕","value":"桌上有一个芒果蛋糕。","tags":["生日"]}],"summary":"照片里是一个芒果蛋糕。"}`, mems(incs(inc("阿岩的生日蛋糕是芒果蛋糕。"))))
	e := newExtractor(t, w, m)
	p := parts(t, e, extractor.Material{
		Space: "harbour-cafe", Name: "cake.png", Data: picture.Bytes(), Image: true, Context: "阿岩生日那天的照片", URL: "https://example.org/cake.png",
	})
	if _, err := e.Read(t.Context(), p[0], extractor.IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	first := m.requests()[0]
	if len(first.Images) != 1 || first.Images[0].Type != "image/png" || !bytes.Equal(first.Images[0].Data, picture.Bytes()) || !strings.Contains(first.User, "生日那天") {
		t.Errorf("the model is shown %d images and %q", len(first.Images), first.User)
	}
	src := w.submissions()[0].Sources[0]
	if src.Kind != graph.SourceImage || len(src.Hash) != 64 || src.URL != "https://example.org/cake.png" || src.Content != "照片里是一个芒果蛋糕。" {
		t.Errorf("source %+v", src)
	}
}

func TestMaterialThatCannotBeReadSaysWhy(t *testing.T) {
	e := newExtractor(t, harbour(), says("x"))
	for name, tt := range map[string]struct {
		material extractor.Material
		code     graph.Code
	}{
		"nothing":           {extractor.Material{}, graph.CodeInvalid},
		"a blank text":      {extractor.Material{Text: " \u3000\n"}, graph.CodeInvalid},
		"a program":         {extractor.Material{Name: "a.txt", Data: append([]byte("\x7fELF\x02\x01\x01"), make([]byte, 200)...)}, graph.CodeUnsupported},
		"a URL alone":       {extractor.Material{Image: true, URL: "https://example.org/a.png"}, graph.CodeInvalid},
		"no image":          {extractor.Material{Name: "a.png", Image: true, Data: []byte("no picture")}, graph.CodeUnsupported},
		"a damaged picture": {extractor.Material{Name: "a.png", Image: true, Data: []byte("\x89PNG\r\n\x1a\n")}, graph.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			tt.material.Space = "harbour-cafe"
			_, err := e.Parts(t.Context(), tt.material, "")
			if graph.ErrorCode(err) != tt.code {
				t.Errorf("error %v, want code %s", err, tt.code)
			}
		})
	}
}
