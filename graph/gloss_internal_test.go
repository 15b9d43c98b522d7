package graph

import "testing"

// Relations are linked by words of what they mean, of their keys and aliases, and
// with them their inverses; here without vectors.
func TestRelationScores(t *testing.T) {
	relations := []glossed{
		newGlossed("manager_of", "主体管理客体 (leads at work)", "boss_of"),
		newGlossed("report_to", "主体向客体汇报", "works_under"),
		newGlossed("work_at", "主体在客体工作", "就职于"),
		newGlossed("come_from", "主体的老家是客体", "from"),
		newGlossed("have_pet", "主体的宠物是客体"),
	}
	relations[0].inverse, relations[1].inverse = "report_to", "manager_of"
	tests := []struct {
		question string
		asks     []string // for these and no others
	}{
		{"who is the boss of Ana", []string{"manager_of", "report_to"}},
		{"whom does Ana report to", []string{"manager_of", "report_to"}},
		{"她就职于哪家公司", []string{"work_at"}},
		{"她的宠物叫什么", []string{"have_pet"}},
		{"她老家在哪", []string{"come_from"}},
		{"what is it from", nil},
		{"谁", nil},
	}
	for _, tt := range tests {
		t.Run(tt.question, func(t *testing.T) {
			got := relationScores(&question{text: tt.question}, relations)
			asked := make(map[string]bool)
			for _, key := range tt.asks {
				asked[key] = true
			}
			for _, r := range relations {
				if (got[r.key] >= 0.5) != asked[r.key] {
					t.Errorf("%s scores %.2f, asked for: %v", r.key, got[r.key], asked[r.key])
				}
			}
		})
	}
}
