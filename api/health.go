package api

import (
	"context"
	_ "embed"
	"errors"
	"time"

	"relata/graph"
)

//go:embed openapi.yaml
var specification []byte

// readyTimeout is shorter than probes usually wait, so that they get the
// reason.
const readyTimeout = 2 * time.Second

// GetHealth answers GET /healthz.
func (s *Server) GetHealth(context.Context, GetHealthRequestObject) (GetHealthResponseObject, error) {
	return GetHealth200JSONResponse{Status: "ok", Version: s.Version}, nil
}

// GetReadiness answers GET /readyz.
func (s *Server) GetReadiness(ctx context.Context, _ GetReadinessRequestObject) (GetReadinessResponseObject, error) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	if err := s.Store.Ready(ctx); err != nil {
		why := "the database is not ready"
		if e, ok := errors.AsType[*graph.Error](err); ok && e.Code != graph.CodeInternal {
			why = e.Message
		}
		return nil, graph.WrapError(graph.CodeUnavailable, err, "%s", why)
	}
	return GetReadiness200JSONResponse{Status: "ready", Version: s.Version}, nil
}

// GetSpec answers GET /openapi.yaml.
func (s *Server) GetSpec(context.Context, GetSpecRequestObject) (GetSpecResponseObject, error) {
	return GetSpec200ApplicationyamlResponse{Body: specification}, nil
}
