//go:build goexperiment.simd && amd64

package embed

import "simd/archsimd"

// avx512Matrix holds panels of 32 columns, each panel row after row.
type avx512Matrix struct {
	k, n   int
	panels [][32]float32
}

func packAVX512(w []float32, k, n int) matrix {
	const width = 32
	m := avx512Matrix{k: k, n: n, panels: make([][width]float32, 0, k*n/width)}
	for col := 0; col < n; col += width {
		for row := range k {
			m.panels = append(m.panels, [width]float32(w[row*n+col:]))
		}
	}
	return m
}

func (m avx512Matrix) panel(col int) [][32]float32 { return m.panels[col/32*m.k:][:m.k] }

func (m avx512Matrix) mul(dst []float32, ldd int, a []float32, lda, rows int) {
	full := rows &^ 3
	for col := 0; col < m.n; col += 64 {
		for c := col; c < col+64; c += 32 {
			panel := m.panel(c)
			for row := 0; row < full; row += 4 {
				avx512Tile4x32(dst[row*ldd+c:], ldd, a[row*lda:], lda, panel)
			}
		}
		for row := full; row < rows; row++ {
			avx512Tile1x64(dst[row*ldd+col:], a[row*lda:], m.panel(col), m.panel(col+32))
		}
	}
	// Else the SSE instructions of plain Go code that follow may stall.
	archsimd.ClearAVXUpperBits()
}

// avx512Tile4x32 multiplies four rows by 32 columns. Its eight sums and three
// operands are the largest tile that the compiler keeps in registers; it has
// to be one function, with named sums.
func avx512Tile4x32(dst []float32, ldd int, a []float32, lda int, panel [][32]float32) {
	a0 := a[:len(panel)]
	a1 := a[lda:][:len(panel)]
	a2 := a[2*lda:][:len(panel)]
	a3 := a[3*lda:][:len(panel)]
	var c00, c01, c10, c11, c20, c21, c30, c31 archsimd.Float32x16
	for i := range panel {
		w0 := avx512Low(&panel[i])
		w1 := avx512High(&panel[i])
		x := archsimd.BroadcastFloat32x16(a0[i])
		c00 = x.MulAdd(w0, c00)
		c01 = x.MulAdd(w1, c01)
		x = archsimd.BroadcastFloat32x16(a1[i])
		c10 = x.MulAdd(w0, c10)
		c11 = x.MulAdd(w1, c11)
		x = archsimd.BroadcastFloat32x16(a2[i])
		c20 = x.MulAdd(w0, c20)
		c21 = x.MulAdd(w1, c21)
		x = archsimd.BroadcastFloat32x16(a3[i])
		c30 = x.MulAdd(w0, c30)
		c31 = x.MulAdd(w1, c31)
	}
	c00.StoreSlice(dst)
	c01.StoreSlice(dst[16:])
	c10.StoreSlice(dst[ldd:])
	c11.StoreSlice(dst[ldd+16:])
	c20.StoreSlice(dst[2*ldd:])
	c21.StoreSlice(dst[2*ldd+16:])
	c30.StoreSlice(dst[3*ldd:])
	c31.StoreSlice(dst[3*ldd+16:])
}

// avx512Tile1x64 multiplies one row by two panels, for rows that fill no tile.
func avx512Tile1x64(dst, a []float32, p0, p1 [][32]float32) {
	a = a[:len(p0)]
	p1 = p1[:len(p0)]
	var c0, c1, c2, c3 archsimd.Float32x16
	for i := range p0 {
		x := archsimd.BroadcastFloat32x16(a[i])
		c0 = avx512Low(&p0[i]).MulAdd(x, c0)
		c1 = avx512High(&p0[i]).MulAdd(x, c1)
		c2 = avx512Low(&p1[i]).MulAdd(x, c2)
		c3 = avx512High(&p1[i]).MulAdd(x, c3)
	}
	c0.StoreSlice(dst)
	c1.StoreSlice(dst[16:])
	c2.StoreSlice(dst[32:])
	c3.StoreSlice(dst[48:])
}

func avx512Low(w *[32]float32) archsimd.Float32x16 {
	return archsimd.LoadFloat32x16((*[16]float32)(w[:16]))
}

func avx512High(w *[32]float32) archsimd.Float32x16 {
	return archsimd.LoadFloat32x16((*[16]float32)(w[16:]))
}
