//go:build !(goexperiment.simd && amd64)

package embed

func vectorKernels() []kernel { return nil }
