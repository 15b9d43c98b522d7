package api

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"relata/graph"
)

// sentID is a request id that is taken over from the caller: it goes into logs
// and back into a header.
var sentID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// requestID names each request in the header X-Request-Id of its answer.
func requestID(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := c.Request().Header.Get(echo.HeaderXRequestID)
		if !sentID.MatchString(id) {
			id = rand.Text()
		}
		c.Response().Header().Set(echo.HeaderXRequestID, id)
		return next(c)
	}
}

// logRequests writes one line for each request. It names the route rather than
// the address, for names and questions stand in addresses; and the error only
// of failures of our own, for those of callers quote what they sent.
func (s *Server) logRequests() echo.MiddlewareFunc {
	return middleware.RequestLoggerWithConfig(middleware.RequestLoggerConfig{
		HandleError: true, // so that the status is known here
		LogLatency:  true, LogMethod: true, LogRoutePath: true, LogStatus: true, LogError: true, LogResponseSize: true,
		LogValuesFunc: func(c echo.Context, v middleware.RequestLoggerValues) error {
			level := slog.LevelInfo
			attrs := []slog.Attr{
				slog.String("method", v.Method),
				slog.String("route", v.RoutePath),
				slog.Int("status", c.Response().Status),
				slog.Duration("latency", v.Latency),
				slog.Int64("bytes", v.ResponseSize),
				slog.String("request_id", c.Response().Header().Get(echo.HeaderXRequestID)),
			}
			switch {
			case c.Response().Status >= http.StatusInternalServerError && v.Error != nil:
				level = slog.LevelError
				attrs = append(attrs, slog.Any("error", v.Error))
			case v.RoutePath == "/healthz" || v.RoutePath == "/readyz" || v.RoutePath == "/metrics":
				level = slog.LevelDebug
			}
			s.Logger.LogAttrs(c.Request().Context(), level, "http request", attrs...)
			return nil
		},
	})
}

// recoverPanics turns a panic into an internal error with its stack, for the
// log.
func recoverPanics() echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) (err error) {
			defer func() {
				p := recover()
				if p == nil {
					return
				}
				if p == http.ErrAbortHandler {
					panic(p) // net/http's own way of cutting a connection
				}
				err = graph.WrapError(graph.CodeInternal, fmt.Errorf("%v\n%s", p, debug.Stack()), "a handler panicked")
			}()
			return next(c)
		}
	}
}

// secureHeaders keeps browsers and caches from doing what nobody asked for.
func secureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("X-Content-Type-Options", "nosniff")
		if !publicRoutes[c.Path()] {
			h.Set("Cache-Control", "no-store")
		}
		return next(c)
	}
}

// limitBody refuses a body over the limit, at once where its length is
// announced, else while it is read.
func (s *Server) limitBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if c.Path() == importRoute {
			r.Body = newPatientBody(c.Response(), r.Body)
			return next(c)
		}
		limit := s.BodyLimit
		if fileRoutes[c.Path()] && strings.HasPrefix(r.Header.Get(echo.HeaderContentType), "multipart/") {
			limit = s.FileLimit
		}
		if r.ContentLength > limit {
			return &http.MaxBytesError{Limit: limit}
		}
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = http.MaxBytesReader(c.Response(), r.Body, limit)
		}
		return next(c)
	}
}

// xmlRoutes read XML and nothing else.
var xmlRoutes = map[string]bool{"/v1/diff": true}

// checkMediaType admits bodies of the kinds that routes read and writes the
// kind in its plain form, by which the generated code chooses.
func checkMediaType(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.ContentLength == 0 || r.Method == http.MethodGet || r.Method == http.MethodDelete {
			return next(c)
		}
		kind, params, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
		if err != nil {
			kind = ""
		}
		if kind == "text/xml" {
			kind = "application/xml"
		}
		switch {
		case kind == "multipart/form-data" && fileRoutes[c.Path()]:
			if params["boundary"] == "" {
				return echo.NewHTTPError(http.StatusBadRequest, "the form has no boundary: let your client set Content-Type")
			}
			return next(c) // the boundary stays with the kind
		case c.Path() == "/v1/spaces/:space/images":
			return echo.NewHTTPError(http.StatusUnsupportedMediaType, "the body must be a form: send Content-Type: multipart/form-data")
		case c.Path() == importRoute:
			if kind, err = linesKind(kind); err != nil {
				return err
			}
		case kind == "application/json" && !xmlRoutes[c.Path()], kind == "application/xml":
		default:
			return echo.NewHTTPError(http.StatusUnsupportedMediaType,
				"the body must be JSON or, where the route reads it, XML: send Content-Type: application/json or application/xml")
		}
		switch strings.ToLower(params["charset"]) {
		case "", "utf-8", "utf8", "us-ascii":
		default:
			return echo.NewHTTPError(http.StatusUnsupportedMediaType, "the body must be in UTF-8")
		}
		if encoding := r.Header.Get(echo.HeaderContentEncoding); encoding != "" && encoding != "identity" {
			return echo.NewHTTPError(http.StatusUnsupportedMediaType, "the body must not be compressed")
		}
		r.Header.Set(echo.HeaderContentType, kind)
		return next(c)
	}
}
