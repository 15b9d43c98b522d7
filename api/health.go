package api

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"time"

	"relata/api/mcp"
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
	ready := GetReadiness200JSONResponse{Status: "ready", Version: s.Version}
	failed := &graph.Error{Code: graph.CodeUnavailable}
	var causes []error
	for _, check := range s.Readiness.Ready(ctx) {
		ready.Checks = append(ready.Checks, check.Name)
		if check.Err == nil {
			continue
		}
		causes = append(causes, check.Err)
		failed.Fields = append(failed.Fields, graph.Field{Name: check.Name, Message: reasonOf(check.Err)})
	}
	if len(failed.Fields) == 0 {
		return ready, nil
	}
	failed.Message, failed.Err = failed.Fields[0].Message, errors.Join(causes...)
	return nil, failed
}

// reasonOf gives what may be told of a failed check to whoever reaches the
// server.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*graph.Error](err); ok && e.Code != graph.CodeInternal {
		return e.Message
	}
	return "the check failed; the server's log tells more"
}

// GetSkill answers GET /skills/search-long-term-memory.
func (s *Server) GetSkill(_ context.Context, r GetSkillRequestObject) (GetSkillResponseObject, error) {
	return GetSkill200TextmarkdownResponse{Body: mcp.Skill(cmp.Or(r.Params.Lang, r.Params.AcceptLanguage))}, nil
}

// GetSpec answers GET /openapi.yaml.
func (s *Server) GetSpec(context.Context, GetSpecRequestObject) (GetSpecResponseObject, error) {
	return GetSpec200ApplicationyamlResponse{Body: specification}, nil
}
