package embed

import (
	"math"
	"slices"
	"sync"
)

// tileRows is how many tokens go through a matrix at a time: enough to use
// its weights often while they are in the CPU's cache, few enough for the
// tokens to stay there too.
const tileRows = 128

// encoder computes vectors with a network. It is safe for concurrent use.
type encoder struct {
	net     *network
	rows    *rowCache
	scratch sync.Pool // of *scratch
}

// scratch is the memory of one pass. Everything of a text's length is in
// hidden, 3 kB a token.
type scratch struct {
	embedded [tileRows * localDimensions]float32
	wide     [tileRows * inputWidth]float32
	blocks   [tileRows * 5 * branchWidth]float32
	hidden   [3][]float32
	mixed    [mixedWidth]float32
	sum      [mixedWidth]float32
	part     [mixedWidth]float32
	m, y2, o [localDimensions]float32
	t512     [localDimensions]float32
	y0, y1   [hiddenWidth]float32
	t320     [hiddenWidth]float32
}

func newEncoder(net *network, cacheRows int) (*encoder, error) {
	rows, err := newRowCache(cacheRows)
	if err != nil {
		return nil, err
	}
	e := &encoder{net: net, rows: rows}
	e.scratch.New = func() any { return new(scratch) }
	return e, nil
}

// encode returns the vector of a text of the given tokens, begin and end marks
// included, each below 17·7530. The vector has length 1, but for rounding.
func (e *encoder) encode(ids []int32) []float32 {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	rows := e.rows.get(ids, func(ids []int32) []*firstLayer { return e.net.firstLayers(ids, s) })
	e.net.firstConvolutions(rows, s)
	e.net.sumOfTokens(ids, s)
	return e.net.head(len(ids), s)
}

// embedding writes a token's row of the table to dst.
func (n *network) embedding(dst []float32, id int32) {
	chunk, row := id%tableChunks, int(id/tableChunks)
	values := &n.values[chunk]
	for i, q := range n.table[chunk][row*localDimensions:][:localDimensions] {
		dst[i] = values[q]
	}
}

// firstLayers computes the first layer of each token.
func (n *network) firstLayers(ids []int32, s *scratch) []*firstLayer {
	out := make([]*firstLayer, 0, len(ids))
	for tile := range slices.Chunk(ids, tileRows) {
		for i, id := range tile {
			n.embedding(s.embedded[i*localDimensions:][:localDimensions], id)
		}
		n.proj.mul(s.wide[:], inputWidth, s.embedded[:], localDimensions, len(tile))
		rows := make([]*firstLayer, len(tile))
		for i := range rows {
			x := s.wide[i*inputWidth:][:inputWidth]
			for j, b := range n.projBias {
				x[j] += b
			}
			mean, scale := n.spread(x)
			for j := range x {
				x[j] = (x[j]-mean)*scale*n.inGain[j] + n.inBias[j]
			}
			rows[i] = &firstLayer{input: [inputWidth]float32(x)}
		}
		at := 0
		for b := range n.branches {
			width := n.branches[b].window * branchWidth
			n.branches[b].blocks.mul(s.blocks[:], width, s.wide[b*branchWidth:], inputWidth, len(tile))
			for i, row := range rows {
				copy(row.blocks[at:], s.blocks[i*width:][:width])
			}
			at += width
		}
		out = append(out, rows...)
	}
	return out
}

// spread returns what a LayerNorm needs of v: its mean, and 1 over its
// standard deviation.
func (n *network) spread(v []float32) (mean, scale float32) {
	mean = sum(v) / float32(len(v))
	variance := squares(v, mean) / float32(len(v))
	return mean, float32(1 / math.Sqrt(float64(variance)+n.epsilon))
}

// firstConvolutions fills s.hidden: for each branch the outputs of its first
// convolution, with as many rows of zeros before and after as the second one's
// window reaches beyond the text.
func (n *network) firstConvolutions(rows []*firstLayer, s *scratch) {
	at := 0
	for b := range n.branches {
		br := &n.branches[b]
		size := (len(rows) + br.window - 1) * branchWidth
		s.hidden[b] = slices.Grow(s.hidden[b][:0], size)[:size]
		h := s.hidden[b]
		clear(h[:br.left*branchWidth])
		clear(h[(br.left+len(rows))*branchWidth:])
		for t, row := range rows {
			out := (*[branchWidth]float32)(h[(br.left+t)*branchWidth:])
			*out = [branchWidth]float32(br.bias1)
			for j := range br.window {
				if from := t - br.left + j; from >= 0 && from < len(rows) {
					add(out, (*[branchWidth]float32)(rows[from].blocks[at+j*branchWidth:]))
				}
			}
			reluPlus(out[:], row.input[b*branchWidth:][:branchWidth])
		}
		at += br.window * branchWidth
	}
}

// sumOfTokens fills s.sum: the sum over all tokens of their embedding and the
// three branches' outputs, put side by side and normalised. It is a sum of
// sums, for adding thousands of rows to one float32 loses digits.
func (n *network) sumOfTokens(ids []int32, s *scratch) {
	clear(s.sum[:])
	for start := 0; start < len(ids); start += tileRows {
		tile := ids[start:min(start+tileRows, len(ids))]
		for b := range n.branches {
			n.branches[b].conv.mul(s.wide[b*branchWidth:], inputWidth, s.hidden[b][start*branchWidth:], branchWidth, len(tile))
		}
		clear(s.part[:])
		for i, id := range tile {
			n.embedding(s.mixed[:localDimensions], id)
			u := s.mixed[localDimensions:]
			copy(u, s.wide[i*inputWidth:])
			for b := range n.branches {
				br := &n.branches[b]
				out := (*[branchWidth]float32)(u[b*branchWidth:])
				add(out, (*[branchWidth]float32)(br.bias2))
				reluPlus(out[:], s.hidden[b][(br.left+start+i)*branchWidth:][:branchWidth])
			}
			mean, scale := n.spread(s.mixed[:])
			addScaled(s.part[:], s.mixed[:], mean, scale)
		}
		for i, x := range s.part {
			s.sum[i] += x
		}
	}
	// Gain and bias are the same for all tokens.
	for i := range s.sum {
		s.sum[i] = s.sum[i]*n.mixGain[i] + float32(len(ids))*n.mixBias[i]
	}
}

// head turns the sum over tokens into the text's vector.
func (n *network) head(tokens int, s *scratch) []float32 {
	n.cnn.mul(s.m[:], localDimensions, s.sum[:], mixedWidth, 1)
	root := float32(math.Sqrt(float64(tokens)))
	for i := range s.m {
		s.m[i] = (s.m[i] + float32(tokens)*n.cnnBias[i]) / root
	}
	n.d0.mul(s.y0[:], hiddenWidth, s.m[:], localDimensions, 1)
	relu(s.y0[:])
	n.p1.mul(s.y1[:], hiddenWidth, s.m[:], localDimensions, 1)
	n.d1.mul(s.t320[:], hiddenWidth, s.y0[:], hiddenWidth, 1)
	for i, x := range s.t320 {
		s.y1[i] += x
	}
	relu(s.y1[:])
	n.d2.mul(s.y2[:], localDimensions, s.y1[:], hiddenWidth, 1)
	relu(s.y2[:])
	n.p3.mul(s.o[:], localDimensions, s.y1[:], hiddenWidth, 1)
	n.d3.mul(s.t512[:], localDimensions, s.y2[:], localDimensions, 1)
	square := 0.0
	for i, x := range s.t512 {
		o := math.Tanh(float64(s.o[i] + x))
		s.o[i] = float32(o)
		square += o * o
	}
	v := make([]float32, localDimensions)
	scale := 1 / math.Sqrt(max(square, n.epsilon))
	for i, o := range s.o {
		v[i] = float32(float64(o) * scale)
	}
	return v
}
