package embed

// add adds b to a.
func add(a, b *[branchWidth]float32) {
	for i := range a {
		a[i] += b[i]
	}
}

// reluPlus sets a = max(a, 0) + b.
func reluPlus(a, b []float32) {
	b = b[:len(a)]
	for i, x := range a {
		a[i] = max(x, 0) + b[i]
	}
}

func relu(a []float32) {
	for i, x := range a {
		a[i] = max(x, 0)
	}
}

// sum returns the sum of v, whose length must be a multiple of 4.
func sum(v []float32) float32 {
	var s0, s1, s2, s3 float32
	for ; len(v) >= 4; v = v[4:] {
		s0 += v[0]
		s1 += v[1]
		s2 += v[2]
		s3 += v[3]
	}
	return s0 + s1 + s2 + s3
}

// squares returns the sum of (v[i]-mean)², for a length that is a multiple of 4.
func squares(v []float32, mean float32) float32 {
	var s0, s1, s2, s3 float32
	for ; len(v) >= 4; v = v[4:] {
		d0, d1, d2, d3 := v[0]-mean, v[1]-mean, v[2]-mean, v[3]-mean
		s0 += d0 * d0
		s1 += d1 * d1
		s2 += d2 * d2
		s3 += d3 * d3
	}
	return s0 + s1 + s2 + s3
}

// addScaled adds (v-mean)·scale to a.
func addScaled(a, v []float32, mean, scale float32) {
	v = v[:len(a)]
	for i := range a {
		a[i] += (v[i] - mean) * scale
	}
}
