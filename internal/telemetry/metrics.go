package telemetry

import "github.com/prometheus/client_golang/prometheus"

// metrics are all that is measured; their help texts say what they mean.
type metrics struct {
	build *prometheus.GaugeVec

	requests        *prometheus.CounterVec
	requestDuration *prometheus.HistogramVec
	inFlight        prometheus.Gauge

	searchDuration prometheus.Histogram
	searchQueries  *prometheus.CounterVec
	searchHits     *prometheus.CounterVec

	statementDuration *prometheus.HistogramVec
	statementErrors   *prometheus.CounterVec
	sessions          prometheus.Gauge

	modelCalls    *prometheus.CounterVec
	modelTokens   *prometheus.CounterVec
	modelDuration *prometheus.HistogramVec

	diffs     *prometheus.CounterVec
	diffItems *prometheus.CounterVec

	embedTexts    *prometheus.CounterVec
	embedDuration *prometheus.HistogramVec
}

// Buckets in seconds, by what the work usually takes.
var (
	requestBuckets   = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 120}
	statementBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, 1, 5}
	modelBuckets     = []float64{.5, 1, 2.5, 5, 10, 20, 40, 80, 160}
)

func newMetrics() metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "relata", Name: name, Help: help}, labels)
	}
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "relata", Name: name, Help: help})
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "relata", Name: name, Help: help, Buckets: buckets}, labels)
	}
	return metrics{
		build: prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "relata", Name: "build_info", Help: "Always 1; the label tells the version."}, []string{"version"}),

		requests:        counter("http_requests_total", "Requests answered, by route and status.", "method", "route", "status"),
		requestDuration: histogram("http_request_duration_seconds", "Time from a request's arrival to its answer.", requestBuckets, "method", "route"),
		inFlight:        gauge("http_requests_in_flight", "Requests in work."),

		searchDuration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "relata", Name: "search_duration_seconds", Help: "Time that one search takes with all its queries, embedding included. Its legs are statements: see statement_duration_seconds.", Buckets: requestBuckets,
		}),
		searchQueries: counter("search_queries_total", "Queries of searches: answered, or failed with an error of their own.", "outcome"),
		searchHits:    counter("search_hits_total", "Hints given that a leg of the search had found: vector, text or graph.", "leg"),

		statementDuration: histogram("statement_duration_seconds", "Time from sending a Cypher statement to its last row, by its name.", statementBuckets, "statement"),
		statementErrors:   counter("statement_errors_total", "Cypher statements that failed, repeated ones included.", "statement"),
		sessions:          gauge("database_sessions", "Sessions with the database that are open; each needs one of the pool's connections."),

		modelCalls:    counter("model_calls_total", "Calls of language models, repeated ones included. outcome: ok, truncated or the kind of failure.", "model", "step", "outcome"),
		modelTokens:   counter("model_tokens_total", "Tokens of these calls.", "model", "step", "direction"),
		modelDuration: histogram("model_call_duration_seconds", "Time that one call takes.", modelBuckets, "model", "step"),

		diffs:     counter("diffs_total", "Diffs judged and kept in the ledger, by status.", "status"),
		diffItems: counter("diff_items_total", "Items of these diffs, by verdict.", "outcome"),

		embedTexts:    counter("embedded_texts_total", "Texts turned into vectors, cached ones included. use: stored or query.", "use", "outcome"),
		embedDuration: histogram("embed_duration_seconds", "Time that one call of the embedder takes.", statementBuckets, "use"),
	}
}

func (m *metrics) all() []prometheus.Collector {
	return []prometheus.Collector{
		m.build, m.requests, m.requestDuration, m.inFlight, m.searchDuration, m.searchQueries, m.searchHits,
		m.statementDuration, m.statementErrors, m.sessions, m.modelCalls, m.modelTokens, m.modelDuration,
		m.diffs, m.diffItems, m.embedTexts, m.embedDuration,
	}
}
