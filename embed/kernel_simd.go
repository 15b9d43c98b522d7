//go:build goexperiment.simd && amd64

package embed

import "simd/archsimd"

func vectorKernels() []kernel {
	var ks []kernel
	if archsimd.X86.AVX512() {
		ks = append(ks, kernel{"avx512", packAVX512})
	}
	if archsimd.X86.AVX2() && archsimd.X86.FMA() {
		ks = append(ks, kernel{"avx2", packAVX2})
	}
	return ks
}
