package bench

import (
	"math"
	"slices"
	"time"
)

// RecallResult is what a search gave for a question, in the form that the packs'
// own scorer reads.
type RecallResult struct {
	ID      string      `json:"id"`
	Hits    []RecallHit `json:"hits"` // best first
	Latency float64     `json:"latency_ms"`
}

// RecallHit is one thing found.
type RecallHit struct {
	MsgIDs  []int64 `json:"msg_ids"`
	Content string  `json:"content"`
	Score   float64 `json:"score"`
}

// RecallCuts are the numbers of hits within which evidence is looked for.
var RecallCuts = [4]int{5, 10, 20, 50}

// RecallFigures are those of a group of questions that all have evidence. They
// are defined as in the packs' own scorer.
type RecallFigures struct {
	Questions int `json:"n"`
	// Recall is the mean over questions of the share of evidence found within
	// each of [RecallCuts]; a hit finds the messages that it leads to.
	Recall [4]float64 `json:"recall"`
	// MRR is the mean of 1 / rank of the first hit with evidence, 0 without one.
	MRR float64 `json:"mrr"`
	// Updates counts the questions that ask for a present state and have an older
	// one. OutdatedFirst is the share of them where an older state was found and
	// the present one was not found above it, CurrentMissing where the present one
	// was not found at all.
	Updates        int     `json:"updates"`
	OutdatedFirst  float64 `json:"outdated_first"`
	CurrentMissing float64 `json:"current_missing"`
	P50            float64 `json:"p50_ms,omitempty"`
	P95            float64 `json:"p95_ms,omitempty"`
}

// RecallRun are the scores of one way to answer the questions of a pack.
type RecallRun struct {
	Name    string                   `json:"name"`
	Types   map[string]RecallFigures `json:"types"`
	Overall RecallFigures            `json:"overall"` // without questions to abstain from
	// AbstainAUC is the chance that a question to answer has a higher top score
	// than one to abstain from, .5 for no difference; nil where the pack lacks
	// either kind.
	AbstainAUC *float64 `json:"abstain_auc,omitempty"`
	P50        float64  `json:"p50_ms,omitempty"` // of all questions
	P95        float64  `json:"p95_ms,omitempty"`
	Hits       int      `json:"hits"`
	PerHit     float64  `json:"messages_per_hit"`
	// Foreign counts hits that lead to a message of another space.
	Foreign int `json:"foreign_hits"`
}

// Score scores answers to the questions of the pack; a question without an
// answer found nothing.
func (p *Pack) Score(name string, results []RecallResult) RecallRun {
	hits := make(map[string][]RecallHit, len(results))
	took := make(map[string]float64, len(results)) // milliseconds
	for _, r := range results {
		hits[r.ID], took[r.ID] = r.Hits, r.Latency
	}
	run := RecallRun{Name: name, Types: make(map[string]RecallFigures), AbstainAUC: p.abstention(hits)}
	run.P50, run.P95 = latency(p.Questions, took)
	types := make(map[string][]PackQuestion)
	var answerable []PackQuestion
	led := 0
	for _, q := range p.Questions {
		if len(q.Evidence) > 0 {
			types[q.Type] = append(types[q.Type], q)
			if !q.Abstain {
				answerable = append(answerable, q)
			}
		}
		for _, h := range hits[q.ID] {
			run.Hits++
			led += len(slices.Compact(slices.Sorted(slices.Values(h.MsgIDs))))
			if slices.ContainsFunc(h.MsgIDs, func(id int64) bool { return p.spaceOf[id] != q.Space }) {
				run.Foreign++
			}
		}
	}
	run.PerHit = float64(led) / float64(max(1, run.Hits))
	for kind, questions := range types {
		run.Types[kind] = figures(questions, hits, took)
	}
	run.Overall = figures(answerable, hits, took)
	return run
}

func figures(questions []PackQuestion, hits map[string][]RecallHit, took map[string]float64) RecallFigures {
	f := RecallFigures{Questions: len(questions)}
	if len(questions) == 0 {
		return f
	}
	share := 1 / float64(len(questions))
	var before, missing int
	for _, q := range questions {
		recall, reciprocal := q.recall(hits[q.ID])
		for i, r := range recall {
			f.Recall[i] += r * share
		}
		f.MRR += reciprocal * share
		if len(q.Current) == 0 || len(q.Outdated) == 0 {
			continue
		}
		f.Updates++
		first, found := q.outdatedFirst(hits[q.ID])
		if first {
			before++
		}
		if !found {
			missing++
		}
	}
	f.P50, f.P95 = latency(questions, took)
	if f.Updates > 0 {
		f.OutdatedFirst = float64(before) / float64(f.Updates)
		f.CurrentMissing = float64(missing) / float64(f.Updates)
	}
	return f
}

// latency gives the middle and the 95th hundredth of the milliseconds that the
// answers to questions took.
func latency(questions []PackQuestion, took map[string]float64) (p50, p95 float64) {
	var times []time.Duration
	for _, q := range questions {
		if ms := took[q.ID]; ms > 0 {
			times = append(times, time.Duration(ms*float64(time.Millisecond)))
		}
	}
	slices.Sort(times)
	return milliseconds(percentile(times, 0.5)), milliseconds(percentile(times, 0.95))
}

// groups gives for each fact that is to be found the messages that state it.
func (q PackQuestion) groups() [][]int64 {
	if len(q.EvidenceAny) > 0 {
		return q.EvidenceAny
	}
	groups := make([][]int64, 0, len(q.Evidence))
	for _, id := range q.Evidence {
		groups = append(groups, []int64{id})
	}
	return groups
}

// led says whether a memory of the pack leads to a message.
func (p *Pack) led() func(PackQuestion, int64) bool {
	led := make(map[int64]bool, len(p.spaceOf))
	for _, memories := range p.memories {
		for _, m := range memories {
			for _, id := range m.MsgIDs {
				led[id] = true
			}
		}
	}
	return func(_ PackQuestion, id int64) bool { return led[id] }
}

// ceiling gives the overall recall of a run that finds, for each question, every
// message that something may lead to.
func (p *Pack) ceiling(may func(PackQuestion, int64) bool) float64 {
	sum, n := 0.0, 0
	for _, q := range p.Questions {
		if q.Abstain {
			continue
		}
		n++
		groups := q.groups()
		for _, group := range groups {
			if slices.ContainsFunc(group, func(id int64) bool { return may(q, id) }) {
				sum += 1 / float64(len(groups))
			}
		}
	}
	return sum / float64(max(1, n))
}

// never is the rank of what was not found.
const never = math.MaxInt

// recall gives the share of evidence within each cut, and 1 / rank of the first
// hit that has any.
func (q PackQuestion) recall(hits []RecallHit) (shares [4]float64, reciprocal float64) {
	groups := q.groups()
	best := never
	for _, group := range groups {
		rank := rankOf(hits, group)
		best = min(best, rank)
		for i, cut := range RecallCuts {
			if rank <= cut {
				shares[i] += 1 / float64(len(groups))
			}
		}
	}
	if best == never {
		return shares, 0
	}
	return shares, 1 / float64(best)
}

// rankOf gives the rank of the first hit that leads to one of some messages.
func rankOf(hits []RecallHit, messages []int64) int {
	for i, h := range hits {
		if h.leadsTo(messages) {
			return i + 1
		}
	}
	return never
}

func (h RecallHit) leadsTo(messages []int64) bool {
	return slices.ContainsFunc(h.MsgIDs, func(id int64) bool { return slices.Contains(messages, id) })
}

// outdatedFirst says whether an older state was found with the present one not
// above it, and whether the present one was found. A hit that leads to both is a
// memory that was brought up to date: it counts as the present one.
func (q PackQuestion) outdatedFirst(hits []RecallHit) (first, found bool) {
	current, outdated := rankOf(hits, q.Current), never
	for i, h := range hits {
		if h.leadsTo(q.Outdated) && !h.leadsTo(q.Current) {
			outdated = i + 1
			break
		}
	}
	return outdated < current, current < never
}

// abstention gives the area under the curve of the top scores.
func (p *Pack) abstention(hits map[string][]RecallHit) *float64 {
	var answer, decline []float64
	for _, q := range p.Questions {
		top := math.Inf(-1)
		for _, h := range hits[q.ID] {
			top = max(top, h.Score)
		}
		if q.Abstain {
			decline = append(decline, top)
		} else {
			answer = append(answer, top)
		}
	}
	if len(answer) == 0 || len(decline) == 0 {
		return nil
	}
	wins := 0.0
	for _, a := range answer {
		for _, d := range decline {
			switch {
			case a > d:
				wins++
			case a == d:
				wins += 0.5
			}
		}
	}
	auc := wins / float64(len(answer)*len(decline))
	return &auc
}
