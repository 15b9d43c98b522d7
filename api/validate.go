package api

import (
	"errors"
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"
	"github.com/labstack/echo/v4"

	"relata/graph"
)

// requestValidator holds requests against the validate tags that openapi.yaml
// gives them.
type requestValidator struct{ *validator.Validate }

func newValidator() (requestValidator, error) {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(jsonName)
	err := v.RegisterValidation("notblank", func(f validator.FieldLevel) bool {
		return graph.Fold(f.Field().String()) != ""
	})
	return requestValidator{v}, err
}

// middleware checks every request before its handler sees it.
func (v requestValidator) middleware(next StrictHandlerFunc, _ string) StrictHandlerFunc {
	return func(c echo.Context, request any) (any, error) {
		if err := v.check(request); err != nil {
			return nil, err
		}
		return next(c, request)
	}
}

// check gives a graph.CodeInvalid that names every wrong field.
func (v requestValidator) check(request any) error {
	err := v.Struct(request)
	if err == nil {
		return nil
	}
	wrong, ok := errors.AsType[validator.ValidationErrors](err)
	if !ok {
		return graph.WrapError(graph.CodeInternal, err, "the request cannot be checked")
	}
	e := &graph.Error{Code: graph.CodeInvalid}
	for _, w := range wrong {
		e.Fields = append(e.Fields, graph.Field{Name: fieldPath(w.Namespace()), Message: rule(w)})
	}
	e.Message = e.Fields[0].Name + " " + e.Fields[0].Message
	return e
}

// fieldPath turns "IngestRequestObject.JSONBody.present[0]" into "present[0]".
func fieldPath(namespace string) string {
	_, path, _ := strings.Cut(namespace, ".")
	for _, part := range []string{"Params.", "JSONBody.", "Body."} {
		path = strings.TrimPrefix(path, part)
	}
	return path
}

// rule says in words what a field has to be.
func rule(w validator.FieldError) string {
	switch w.Tag() {
	case "required":
		return "is missing"
	case "notblank":
		return "must not be blank"
	case "max":
		return "must " + amount(w.Kind(), "at most ", w.Param())
	case "min":
		return "must " + amount(w.Kind(), "at least ", w.Param())
	case "oneof":
		return "must be one of: " + strings.ReplaceAll(w.Param(), " ", ", ")
	}
	return "must satisfy " + w.Tag() + " " + w.Param()
}

// amount says what a bound counts: the value of a number, the entries of a
// list, the characters of a text.
func amount(k reflect.Kind, bound, n string) string {
	switch k {
	case reflect.Int, reflect.Int64:
		return "be " + bound + n
	case reflect.Slice:
		return "hold " + bound + n
	}
	return "have " + bound + n + " characters"
}
