package embed

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// npy builds a NumPy array file as NumPy writes it.
func npy(dtype, shape string, data []byte) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", dtype, shape)
	header += strings.Repeat(" ", 117-len(header)) + "\n"
	out := binary.LittleEndian.AppendUint16([]byte(npyMagic), uint16(len(header)))
	return append(append(out, header...), data...)
}

func TestReadArray(t *testing.T) {
	t.Parallel()
	data := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	for _, tt := range []struct {
		name  string
		file  []byte
		dtype string
		shape []int
	}{
		{"a matrix", npy("|u1", "2, 4", data), "|u1", []int{2, 4}},
		{"a vector", npy("<f4", "2,", data), "<f4", []int{2}},
		{"a single number", npy("<f8", "", data), "<f8", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := readArray(bytes.NewReader(tt.file), tt.dtype, tt.shape...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(data, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadArrayRefusesDamage(t *testing.T) {
	t.Parallel()
	whole := npy("|u1", "2, 4", make([]byte, 8))
	for size := range len(whole) {
		if _, err := readArray(bytes.NewReader(whole[:size]), "|u1", 2, 4); err == nil {
			t.Errorf("no error for the first %d of %d bytes", size, len(whole))
		}
	}
	for _, tt := range []struct {
		name, want string
		file       []byte
	}{
		{"another type", "type <f4, not |u1", npy("<f4", "2, 4", make([]byte, 32))},
		{"another shape", "shape (4, 2), not (2, 4)", npy("|u1", "4, 2", make([]byte, 8))},
		{"a shape beyond all measure", "shape (99999999999, 99999999999)", npy("|u1", "99999999999, 99999999999", nil)},
		{"column by column", "row by row", bytes.Replace(whole, []byte("False, 's"), []byte("True, 's"), 1)},
		{"more data", "more data", append(bytes.Clone(whole), 0)},
		{"another version", "not a NumPy array", bytes.Replace(whole, []byte("\x01\x00"), []byte("\x02\x00"), 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := readArray(bytes.NewReader(tt.file), "|u1", 2, 4)
			if err == nil || (!strings.Contains(err.Error(), tt.want) && tt.name != "column by column") {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestLoadNetworkRefusesDamage(t *testing.T) {
	t.Parallel()
	empty := zipped(t, nil)
	wrong := zipped(t, map[string][]byte{"q1.npy": npy("|u1", "2, 4", make([]byte, 8))})
	for name, file := range map[string][]byte{
		"not a zip":         []byte("PK"),
		"nothing":           nil,
		"no arrays":         empty,
		"an array too few":  wrong,
		"half of the zip":   wrong[:len(wrong)/2],
		"a half-way header": zipped(t, map[string][]byte{"ln_g.npy": []byte("\x93NUMPY")}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := loadNetwork(bytes.NewReader(file), int64(len(file)), kernels()[0]); err == nil {
				t.Error("no error")
			}
		})
	}
}

func FuzzReadArray(f *testing.F) {
	f.Add(npy("|u1", "2, 4", make([]byte, 8)))
	f.Add(npy("<f4", "2,", make([]byte, 8))[:100])
	f.Add([]byte(npyMagic + "\xff\xff{"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if data, err := readArray(bytes.NewReader(file), "|u1", 2, 4); err == nil && len(data) != 8 {
			t.Errorf("%d bytes of data", len(data))
		}
	})
}

func FuzzLoadNetwork(f *testing.F) {
	whole := zipped(f, map[string][]byte{"eps.npy": npy("<f8", "", make([]byte, 8)), "d0.npy": []byte("\x93NUMPY")})
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Fuzz(func(t *testing.T, file []byte) {
		if _, err := loadNetwork(bytes.NewReader(file), int64(len(file)), kernels()[0]); err == nil {
			t.Error("a small file holds no network")
		}
	})
}

func zipped(t testing.TB, files map[string][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, data := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
