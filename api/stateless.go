package api

import (
	"context"
	"net/http"

	"relata/extractor"
)

// Diff answers POST /v1/diff.
func (s *Server) Diff(ctx context.Context, r DiffRequestObject) (DiffResponseObject, error) {
	if r.Body == nil {
		return nil, errNoBody
	}
	input, err := readInput(r.Body)
	if err != nil {
		return nil, err
	}
	proposed, err := s.Differ.Diff(ctx, input, extractor.DiffOptions{
		Session: r.Params.SessionId, Profile: extractor.Profile(r.Params.Profile), Timezone: r.Params.Timezone,
	})
	if err != nil {
		return nil, err
	}
	return diffResponse{proposed}, nil
}

// diffResponse is a diff as XML.
type diffResponse struct{ proposed extractor.Proposed }

// VisitDiffResponse writes the diff, and a header where it is not whole.
func (d diffResponse) VisitDiffResponse(w http.ResponseWriter) error {
	if d.proposed.Report.Truncated {
		w.Header().Set("Relata-Truncated", "true")
	}
	body := []byte(extractor.EncodeProposal(d.proposed.Proposal))
	return Diff200ApplicationxmlResponse{Body: body}.VisitDiffResponse(w)
}
