package embed

// scalarMatrix holds panels of four columns, each panel row after row.
type scalarMatrix struct {
	k, n   int
	panels [][4]float32
}

func packScalar(w []float32, k, n int) matrix {
	const width = 4
	m := scalarMatrix{k: k, n: n, panels: make([][width]float32, 0, k*n/width)}
	for col := 0; col < n; col += width {
		for row := range k {
			m.panels = append(m.panels, [width]float32(w[row*n+col:]))
		}
	}
	return m
}

func (m scalarMatrix) mul(dst []float32, ldd int, a []float32, lda, rows int) {
	for col := 0; col < m.n; col += 4 {
		panel := m.panels[col/4*m.k:][:m.k]
		for row := range rows {
			scalarTile(dst[row*ldd+col:], a[row*lda:], panel)
		}
	}
}

// scalarTile multiplies one row by four columns. Four sums are as many as
// keep the adders busy and stay in registers beside their operands: tiles of
// 1×8 and 2×4 measured slower.
func scalarTile(dst, a []float32, panel [][4]float32) {
	a = a[:len(panel)]
	var c0, c1, c2, c3 float32
	for i := range panel {
		x, w := a[i], &panel[i]
		c0 += x * w[0]
		c1 += x * w[1]
		c2 += x * w[2]
		c3 += x * w[3]
	}
	*(*[4]float32)(dst) = [4]float32{c0, c1, c2, c3}
}
