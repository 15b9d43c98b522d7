package embed

// matrix is a matrix of weights, packed for the kernel that multiplies by it.
type matrix interface {
	// mul sets dst = a · matrix for rows rows. Row i of a is the run of as
	// many floats as the matrix has rows, from a[i*lda]; runs may overlap. Row
	// i of dst begins at dst[i*ldd] and is as long as the matrix has columns.
	mul(dst []float32, ldd int, a []float32, lda, rows int)
}

// kernel multiplies matrices by one set of CPU instructions. Kernels differ in
// the last bits of what they compute.
type kernel struct {
	name string
	// pack takes a k×n matrix, row after row. n must be a multiple of 64.
	pack func(w []float32, k, n int) matrix
}

// Kernel names the instructions that the local model's arithmetic uses in this
// build and on this CPU: "avx512", "avx2" or "scalar". The first two exist
// only in amd64 builds with GOEXPERIMENT=simd; with scalar a text takes three times as long, or more.
func Kernel() string { return kernels()[0].name }

// kernels returns what can run here, the fastest first.
func kernels() []kernel {
	return append(vectorKernels(), kernel{"scalar", packScalar})
}
