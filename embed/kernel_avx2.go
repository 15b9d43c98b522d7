//go:build goexperiment.simd && amd64

package embed

import "simd/archsimd"

// avx2Matrix holds panels of 16 columns, each panel row after row.
type avx2Matrix struct {
	k, n   int
	panels [][16]float32
}

func packAVX2(w []float32, k, n int) matrix {
	const width = 16
	m := avx2Matrix{k: k, n: n, panels: make([][width]float32, 0, k*n/width)}
	for col := 0; col < n; col += width {
		for row := range k {
			m.panels = append(m.panels, [width]float32(w[row*n+col:]))
		}
	}
	return m
}

func (m avx2Matrix) panel(col int) [][16]float32 { return m.panels[col/16*m.k:][:m.k] }

func (m avx2Matrix) mul(dst []float32, ldd int, a []float32, lda, rows int) {
	full := rows &^ 3
	for col := 0; col < m.n; col += 64 {
		for c := col; c < col+64; c += 16 {
			panel := m.panel(c)
			for row := 0; row < full; row += 4 {
				avx2Tile4x16(dst[row*ldd+c:], ldd, a[row*lda:], lda, panel)
			}
		}
		for row := full; row < rows; row++ {
			avx2Tile1x64(dst[row*ldd+col:], a[row*lda:], m.panel(col), m.panel(col+16), m.panel(col+32), m.panel(col+48))
		}
	}
	// Else the SSE instructions of plain Go code that follow may stall.
	archsimd.ClearAVXUpperBits()
}

// avx2Tile4x16 multiplies four rows by 16 columns. Its eight sums and three
// operands are the largest tile that the compiler keeps in registers; it has
// to be one function, with named sums.
func avx2Tile4x16(dst []float32, ldd int, a []float32, lda int, panel [][16]float32) {
	a0 := a[:len(panel)]
	a1 := a[lda:][:len(panel)]
	a2 := a[2*lda:][:len(panel)]
	a3 := a[3*lda:][:len(panel)]
	var c00, c01, c10, c11, c20, c21, c30, c31 archsimd.Float32x8
	for i := range panel {
		w0 := avx2Low(&panel[i])
		w1 := avx2High(&panel[i])
		x := archsimd.BroadcastFloat32x8(a0[i])
		c00 = x.MulAdd(w0, c00)
		c01 = x.MulAdd(w1, c01)
		x = archsimd.BroadcastFloat32x8(a1[i])
		c10 = x.MulAdd(w0, c10)
		c11 = x.MulAdd(w1, c11)
		x = archsimd.BroadcastFloat32x8(a2[i])
		c20 = x.MulAdd(w0, c20)
		c21 = x.MulAdd(w1, c21)
		x = archsimd.BroadcastFloat32x8(a3[i])
		c30 = x.MulAdd(w0, c30)
		c31 = x.MulAdd(w1, c31)
	}
	c00.StoreSlice(dst)
	c01.StoreSlice(dst[8:])
	c10.StoreSlice(dst[ldd:])
	c11.StoreSlice(dst[ldd+8:])
	c20.StoreSlice(dst[2*ldd:])
	c21.StoreSlice(dst[2*ldd+8:])
	c30.StoreSlice(dst[3*ldd:])
	c31.StoreSlice(dst[3*ldd+8:])
}

// avx2Tile1x64 multiplies one row by four panels, for rows that fill no tile.
func avx2Tile1x64(dst, a []float32, p0, p1, p2, p3 [][16]float32) {
	a = a[:len(p0)]
	p1, p2, p3 = p1[:len(p0)], p2[:len(p0)], p3[:len(p0)]
	var c0, c1, c2, c3, c4, c5, c6, c7 archsimd.Float32x8
	for i := range p0 {
		x := archsimd.BroadcastFloat32x8(a[i])
		c0 = avx2Low(&p0[i]).MulAdd(x, c0)
		c1 = avx2High(&p0[i]).MulAdd(x, c1)
		c2 = avx2Low(&p1[i]).MulAdd(x, c2)
		c3 = avx2High(&p1[i]).MulAdd(x, c3)
		c4 = avx2Low(&p2[i]).MulAdd(x, c4)
		c5 = avx2High(&p2[i]).MulAdd(x, c5)
		c6 = avx2Low(&p3[i]).MulAdd(x, c6)
		c7 = avx2High(&p3[i]).MulAdd(x, c7)
	}
	c0.StoreSlice(dst)
	c1.StoreSlice(dst[8:])
	c2.StoreSlice(dst[16:])
	c3.StoreSlice(dst[24:])
	c4.StoreSlice(dst[32:])
	c5.StoreSlice(dst[40:])
	c6.StoreSlice(dst[48:])
	c7.StoreSlice(dst[56:])
}

func avx2Low(w *[16]float32) archsimd.Float32x8 {
	return archsimd.LoadFloat32x8((*[8]float32)(w[:8]))
}

func avx2High(w *[16]float32) archsimd.Float32x8 {
	return archsimd.LoadFloat32x8((*[8]float32)(w[8:]))
}
