package api

import "github.com/labstack/echo/v4"

// Routes gives what the router knows, for the test against openapi.yaml.
func (s *Server) Routes() []*echo.Route { return s.echo.Routes() }

// DecodeJSON is the decoder of bodies, for its fuzz test.
var DecodeJSON = decodeJSON
