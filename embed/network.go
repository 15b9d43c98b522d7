package embed

import (
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Sizes of the network.
const (
	localDimensions = 512
	branchWidth     = 256              // columns of a token within one branch
	inputWidth      = 3 * branchWidth  // columns of a token within all of them
	blocksWidth     = 10 * branchWidth // products of a token with the 2+3+5 blocks of the first convolutions
	mixedWidth      = localDimensions + inputWidth
	hiddenWidth     = 320

	tableChunks = 17
	chunkRows   = 7530
)

// branch is a pair of convolutions over a window of tokens, of which left lie
// before the current one.
type branch struct {
	window, left int
	// blocks is the first convolution's matrix with its blocks, one for each
	// place in the window, side by side: 256 × window·256.
	blocks matrix
	bias1  []float32
	conv   matrix // the second convolution, window·256 × 256
	bias2  []float32
}

// network holds the weights of the multilingual Universal Sentence Encoder v3.
// It is read-only after loading.
type network struct {
	epsilon float64

	// The embedding of token id is row id/17 of chunk id%17, each byte of it
	// looked up in the chunk's values.
	table  [tableChunks][]byte
	values [tableChunks][256]float32

	proj               matrix // 512 × 768
	projBias           []float32
	inGain, inBias     []float32 // first LayerNorm
	branches           [3]branch
	mixGain, mixBias   []float32 // second LayerNorm
	cnn                matrix    // 1280 × 512
	cnnBias            []float32
	d0, p1, d1, d2, p3 matrix // the head
	d3                 matrix
}

// loadNetwork reads weights.npz and packs the matrices for kern.
func loadNetwork(file io.ReaderAt, size int64, kern kernel) (*network, error) {
	arrays, err := openArchive(file, size)
	if err != nil {
		return nil, err
	}
	l := loader{arrays: arrays, kern: kern}
	l.group.SetLimit(runtime.GOMAXPROCS(0))
	n := &network{}
	l.table(n)
	l.input(n)
	for i, window := range []int{2, 3, 5} {
		l.branch(&n.branches[i], window)
	}
	l.vector(&n.mixGain, "ln_g", mixedWidth)
	l.vector(&n.mixBias, "ln_b", mixedWidth)
	l.matrix(&n.cnn, "cnn_W", mixedWidth, localDimensions)
	l.vector(&n.cnnBias, "cnn_b", localDimensions)
	l.matrix(&n.d0, "d0", localDimensions, hiddenWidth)
	l.matrix(&n.p1, "p1", localDimensions, hiddenWidth)
	l.matrix(&n.d1, "d1", hiddenWidth, hiddenWidth)
	l.matrix(&n.d2, "d2", hiddenWidth, localDimensions)
	l.matrix(&n.p3, "p3", hiddenWidth, localDimensions)
	l.matrix(&n.d3, "d3", localDimensions, localDimensions)
	l.group.Go(func() (err error) {
		n.epsilon, err = arrays.float64("eps")
		return err
	})
	if err := l.group.Wait(); err != nil {
		return nil, err
	}
	return n, nil
}

// loader reads arrays side by side, for inflating them takes most of the time.
type loader struct {
	arrays archive
	kern   kernel
	group  errgroup.Group
}

func (l *loader) vector(dst *[]float32, name string, n int) {
	l.group.Go(func() (err error) {
		*dst, err = l.arrays.floats(name, n)
		return err
	})
}

func (l *loader) matrix(dst *matrix, name string, k, n int) {
	l.group.Go(func() error {
		w, err := l.arrays.floats(name, k, n)
		if err != nil {
			return err
		}
		*dst = l.kern.pack(w, k, n)
		return nil
	})
}

func (l *loader) table(n *network) {
	for c := range tableChunks {
		l.group.Go(func() (err error) {
			n.table[c], err = l.arrays.bytes(fmt.Sprintf("q%d", c+1), "|u1", chunkRows, localDimensions)
			return err
		})
	}
	l.group.Go(func() error {
		scale, err := l.arrays.floats("scale", tableChunks)
		if err != nil {
			return err
		}
		low, err := l.arrays.floats("lo", tableChunks)
		if err != nil {
			return err
		}
		for c := range tableChunks {
			for q := range n.values[c] {
				n.values[c][q] = float32(float32(q)*scale[c]) + low[c]
			}
		}
		return nil
	})
}

// input reads what lies before the branches. Each has its own arrays, which
// are put side by side.
func (l *loader) input(n *network) {
	suffixes := []string{"2", "3", "5"}
	l.group.Go(func() error {
		w := make([]float32, localDimensions*inputWidth)
		for i, s := range suffixes {
			part, err := l.arrays.floats("proj"+s, localDimensions, branchWidth)
			if err != nil {
				return err
			}
			sideBySide(w, part, localDimensions, inputWidth, i*branchWidth)
		}
		n.proj = l.kern.pack(w, localDimensions, inputWidth)
		return nil
	})
	for _, v := range []struct {
		dst  *[]float32
		name string
	}{{&n.projBias, "proj_b"}, {&n.inGain, "ln_g"}, {&n.inBias, "ln_b"}} {
		l.group.Go(func() error {
			for _, s := range suffixes {
				part, err := l.arrays.floats(v.name+s, branchWidth)
				if err != nil {
					return err
				}
				*v.dst = append(*v.dst, part...)
			}
			return nil
		})
	}
}

func (l *loader) branch(b *branch, window int) {
	b.window, b.left = window, (window-1)/2
	l.group.Go(func() error {
		w, err := l.arrays.floats(fmt.Sprintf("w1_%d", window), window*branchWidth, branchWidth)
		if err != nil {
			return err
		}
		wide := make([]float32, len(w))
		const block = branchWidth * branchWidth
		for j := range window {
			sideBySide(wide, w[j*block:][:block], branchWidth, window*branchWidth, j*branchWidth)
		}
		b.blocks = l.kern.pack(wide, branchWidth, window*branchWidth)
		return nil
	})
	l.matrix(&b.conv, fmt.Sprintf("w2_%d", window), window*branchWidth, branchWidth)
	l.vector(&b.bias1, fmt.Sprintf("b1_%d", window), branchWidth)
	l.vector(&b.bias2, fmt.Sprintf("b2_%d", window), branchWidth)
}

// sideBySide copies part, a matrix of rows × 256, into the columns from col of
// dst, a matrix of rows × width.
func sideBySide(dst, part []float32, rows, width, col int) {
	for r := range rows {
		copy(dst[r*width+col:][:branchWidth], part[r*branchWidth:])
	}
}
