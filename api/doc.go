// Package api is Relata's HTTP surface.
//
// Place in the flow: a request comes in, is admitted (auth.go), decoded and
// checked (decode.go, validate.go), handed to the graph, the vocabulary or the
// extractor (store.go says what is needed of each), and the answer is rendered
// in the space's time zone (render.go). Nothing here knows how things are
// stored or how a model is asked.
//
// The surface is written down first: openapi.yaml is the contract, api.gen.go
// is made from it (types of bodies, parameters, the router), and the handlers
// fill in the generated interface. They see typed requests and a context, never
// Echo. Every failure of any kind leaves through one error handler (errors.go)
// as application/problem+json.
package api

//go:generate go tool oapi-codegen -config oapi-codegen.yaml -o api.gen.go openapi.yaml
