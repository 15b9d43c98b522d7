package embed

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestKernelsMultiplyLikeTheDefinition(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	numbers := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = random.Float32()*2 - 1
		}
		return v
	}
	for _, tt := range []struct{ rows, k, n, lda, ldd int }{
		{1, 512, 320, 512, 320},
		{3, 512, 768, 512, 768},
		{4, 256, 64, 768, 64},
		{5, 768, 256, 256, 768}, // windows: each row of a begins within the one before
		{26, 1280, 256, 256, 768},
		{0, 512, 64, 512, 64},
		{7, 1, 128, 1, 130},
	} {
		a := numbers(max(0, tt.rows-1)*tt.lda + tt.k)
		w := numbers(tt.k * tt.n)
		for _, kern := range kernels() {
			t.Run(fmt.Sprintf("%s %d×%d×%d", kern.name, tt.rows, tt.k, tt.n), func(t *testing.T) {
				t.Parallel()
				const untouched = 77
				dst := make([]float32, tt.rows*tt.ldd)
				for i := range dst {
					dst[i] = untouched
				}
				kern.pack(w, tt.k, tt.n).mul(dst, tt.ldd, a, tt.lda, tt.rows)
				for r := range tt.rows {
					for c := range tt.ldd {
						want := float64(untouched)
						if c < tt.n {
							want = 0
							for i := range tt.k {
								want += float64(a[r*tt.lda+i]) * float64(w[i*tt.n+c])
							}
						}
						if got := dst[r*tt.ldd+c]; math.Abs(float64(got)-want) > 1e-4 {
							t.Fatalf("row %d, column %d: %v, want %v", r, c, got, want)
						}
					}
				}
			})
		}
	}
}

func TestKernelIsTheFirstThatTheCPUHas(t *testing.T) {
	t.Parallel()
	if os.Getenv("RELATA_TEST_PRINT_KERNEL") != "" {
		fmt.Println("kernel=" + Kernel())
		return
	}
	for _, off := range []string{"cpu.avx2=off", "cpu.fma=off"} {
		t.Run(off, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKernelIsTheFirstThatTheCPUHas$")
			cmd.Env = append(os.Environ(), "RELATA_TEST_PRINT_KERNEL=1", "GODEBUG=cpu.avx512f=off,"+off)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if !strings.Contains(string(out), "kernel=scalar\n") {
				t.Errorf("got %s, want the scalar kernel", out)
			}
		})
	}
	if got := Kernel(); got != kernels()[0].name {
		t.Errorf("Kernel() = %s", got)
	}
}
