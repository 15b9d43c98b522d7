package embed

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// npyMagic begins a NumPy array file of format 1.0.
const npyMagic = "\x93NUMPY\x01\x00"

// npyHeader matches the Python dictionary that describes a NumPy array.
var npyHeader = regexp.MustCompile(`^\{'descr': '([^']*)', 'fortran_order': (True|False), 'shape': \(([0-9, ]*)\), \}\s*$`)

// readArray reads a NumPy array of exactly the given type ("|u1", "<f4",
// "<f8") and shape, and returns its elements' bytes, little-endian, row after
// row.
func readArray(r io.Reader, dtype string, shape ...int) ([]byte, error) {
	prefix := make([]byte, len(npyMagic)+2)
	if _, err := io.ReadFull(r, prefix); err != nil {
		return nil, fmt.Errorf("header: %w", unexpected(err))
	}
	if string(prefix[:len(npyMagic)]) != npyMagic {
		return nil, errors.New("not a NumPy array of format 1.0")
	}
	header := make([]byte, binary.LittleEndian.Uint16(prefix[len(npyMagic):]))
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, fmt.Errorf("header: %w", unexpected(err))
	}
	m := npyHeader.FindSubmatch(header)
	if m == nil {
		return nil, errors.New("the header describes no plain array")
	}
	if got := string(m[1]); got != dtype {
		return nil, fmt.Errorf("type %s, not %s", got, dtype)
	}
	want := make([]string, len(shape))
	size := int(dtype[len(dtype)-1] - '0')
	for i, n := range shape {
		want[i] = strconv.Itoa(n)
		size *= n
	}
	got := strings.TrimSuffix(string(bytes.TrimSpace(m[3])), ",")
	if string(m[2]) != "False" || got != strings.Join(want, ", ") {
		return nil, fmt.Errorf("shape (%s), not (%s) row by row", got, strings.Join(want, ", "))
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, fmt.Errorf("data: %w", unexpected(err))
	}
	// Only at its end does a zip entry's reader compare the checksum.
	switch _, err := io.ReadFull(r, make([]byte, 1)); {
	case err == nil:
		return nil, errors.New("more data than the shape says")
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("data: %w", err)
	}
	return data, nil
}

// unexpected turns the end of the input into an error that says it came early.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// archive is an opened npz file: a zip of NumPy arrays.
type archive map[string]*zip.File

func openArchive(r io.ReaderAt, size int64) (archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("read weights: %w", err)
	}
	a := make(archive, len(z.File))
	for _, f := range z.File {
		a[strings.TrimSuffix(f.Name, ".npy")] = f
	}
	return a, nil
}

// bytes returns the elements of the named array as they are stored.
func (a archive) bytes(name, dtype string, shape ...int) ([]byte, error) {
	f := a[name]
	if f == nil {
		return nil, fmt.Errorf("read weights: no array %s", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("read weights: array %s: %w", name, err)
	}
	defer r.Close()
	data, err := readArray(r, dtype, shape...)
	if err != nil {
		return nil, fmt.Errorf("read weights: array %s: %w", name, err)
	}
	return data, nil
}

// floats returns the named array of float32.
func (a archive) floats(name string, shape ...int) ([]float32, error) {
	data, err := a.bytes(name, "<f4", shape...)
	if err != nil {
		return nil, err
	}
	out := make([]float32, len(data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out, nil
}

// float64 returns the named array of a single float64.
func (a archive) float64(name string) (float64, error) {
	data, err := a.bytes(name, "<f8")
	if err != nil {
		return 0, err
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(data)), nil
}
