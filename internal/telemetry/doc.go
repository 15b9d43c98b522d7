// Package telemetry measures what Relata does: metrics for Prometheus and, where
// somebody collects them, traces for OpenTelemetry.
//
// Place in the flow: cmd makes one [Telemetry] and hands it to the other
// packages, which know it only through small interfaces of their own
// (graph.Observer, api.Observer) or as a wrapper around a model or an embedder.
// None of them imports a metrics or tracing library.
//
// Labels and attributes are names from our own code and configuration: routes,
// statements, steps, models, outcomes. Nothing that a caller sent and no text of
// a memory is among them.
package telemetry
