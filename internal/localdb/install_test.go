package localdb_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"relata/internal/localdb"
)

// endsAtOnce is a server for tests of what comes before it.
const endsAtOnce = `echo 'Exception in thread "main" it ran'; exit 1`

func installWorld(t *testing.T) *world {
	w := newWorld(t)
	w.program("java", javaScript("25.0.3", endsAtOnce))
	w.program("mvn", mavenScript)
	return w
}

func TestInstall(t *testing.T) {
	t.Run("downloads once and says so", func(t *testing.T) {
		w := installWorld(t)
		for range 2 {
			w.failToStart(localdb.CodeStart, "it ran")
		}
		if got := w.mavenRuns(); got != 1 {
			t.Errorf("Maven ran %d times, want once", got)
		}
		if !w.said("downloading Neo4j 2026.05.0 (136 MB), once") {
			t.Errorf("progress said %q", w.lines)
		}
		for _, name := range []string{"lib/neo4j-server-2026.05.0.jar", "plugins/neo4j-browser-5.24.0.jar"} {
			if _, err := os.Stat(filepath.Join(w.options.CacheDir, "neo4j-2026.05.0", name)); err != nil {
				t.Error(err)
			}
		}
	})

	t.Run("is done once by two that come together", func(t *testing.T) {
		w := installWorld(t)
		var both sync.WaitGroup
		for _, name := range []string{"one", "two"} {
			options := w.options
			options.DataDir = filepath.Join(w.options.DataDir, name)
			both.Go(func() {
				if _, err := localdb.Start(t.Context(), options); localdb.ErrorCode(err) != localdb.CodeStart {
					t.Errorf("Start: %v", err)
				}
			})
		}
		both.Wait()
		if got := w.mavenRuns(); got != 1 {
			t.Errorf("Maven ran %d times, want once", got)
		}
	})

	damages := map[string]func(root string) error{
		"a file is missing":   func(root string) error { return os.Remove(filepath.Join(root, "plugins/neo4j-browser-5.24.0.jar")) },
		"a file is cut short": func(root string) error { return os.Truncate(filepath.Join(root, "lib/neo4j-server-2026.05.0.jar"), 1) },
		"the manifest is another pom": func(root string) error {
			return os.WriteFile(filepath.Join(root, "manifest.json"), []byte(`{"pom_sha256":"x","files":{}}`), 0o600)
		},
		"the manifest is damaged": func(root string) error {
			return os.WriteFile(filepath.Join(root, "manifest.json"), []byte(`{"pom`), 0o600)
		},
		"the manifest is missing": func(root string) error { return os.Remove(filepath.Join(root, "manifest.json")) },
	}
	for name, damage := range damages {
		t.Run("is made anew if "+name, func(t *testing.T) {
			w := installWorld(t)
			w.failToStart(localdb.CodeStart)
			if err := damage(filepath.Join(w.options.CacheDir, "neo4j-2026.05.0")); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				w.failToStart(localdb.CodeStart)
			}
			if got := w.mavenRuns(); got != 2 {
				t.Errorf("Maven ran %d times, want twice", got)
			}
		})
	}

	t.Run("leaves nothing behind when Maven fails", func(t *testing.T) {
		w := installWorld(t)
		w.program("mvn", `echo "[ERROR] Failed to execute goal: Could not transfer artifact x: Unknown host -> [Help 1]"; exit 1`)
		w.failToStart(localdb.CodeInstall, "Unknown host", "check the network")
		entries, err := os.ReadDir(w.options.CacheDir)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) != 1 || entries[0].Name() != "install.lock" {
			t.Errorf("the cache holds %v, want the lock alone", entries)
		}
	})

	t.Run("tells a full disk from other failures of Maven", func(t *testing.T) {
		w := installWorld(t)
		w.program("mvn", `echo "[ERROR] Failed: /x.jar: No space left on device -> [Help 1]"; exit 1`)
		w.failToStart(localdb.CodeDiskFull, "free some space")
	})

	t.Run("does not trust a Maven that delivers nothing", func(t *testing.T) {
		w := installWorld(t)
		w.program("mvn", `exit 0`)
		w.failToStart(localdb.CodeInstall, "delivered no")
	})
}

func TestMaven(t *testing.T) {
	t.Run("missing, says what to install", func(t *testing.T) {
		w := newWorld(t)
		w.program("java", javaScript("25", ""))
		w.failToStart(localdb.CodeNoMaven, "apt-get install maven", "brew install maven", "RELATA_NEO4J_URI")
	})

	t.Run("missing, is installed by root with apt-get", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root installs packages")
		}
		w := newWorld(t)
		w.program("java", javaScript("25", endsAtOnce))
		writeScript(t, filepath.Join(w.bin, "hidden"), mavenScript)
		// The first try fails, as with an old package list.
		w.program("apt-get", `cd "${0%/*}"
case "$1" in
update) echo > updated ;;
install) [ -e updated ] || exit 100; /bin/mv hidden mvn ;;
esac`)
		w.failToStart(localdb.CodeStart, "it ran")
		if !w.said("installing it with apt-get") {
			t.Errorf("progress said %q", w.lines)
		}
	})

	t.Run("not to be had from apt-get, says why and what to do", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root installs packages")
		}
		w := newWorld(t)
		w.program("java", javaScript("25", endsAtOnce))
		w.program("apt-get", `echo "E: Unable to locate package maven"; exit 100`)
		w.failToStart(localdb.CodeNoMaven, "Unable to locate package maven", "RELATA_NEO4J_URI")
	})

	t.Run("is given a Java when the machine has none of its own", func(t *testing.T) {
		w := newWorld(t)
		home := filepath.Join(t.TempDir(), "jdk")
		writeScript(t, filepath.Join(home, "bin/java"), javaScript("25", endsAtOnce))
		w.options.JVMFolders = []string{home}
		w.program("mvn", `echo "[ERROR] java is $JAVA_HOME"; exit 1`)
		w.failToStart(localdb.CodeInstall, "java is "+home)
	})

	t.Run("is given a Java when JAVA_HOME is wrong", func(t *testing.T) {
		w := newWorld(t)
		w.env["JAVA_HOME"] = "/nowhere"
		w.program("java", javaScript("25", endsAtOnce))
		w.program("mvn", `echo "[ERROR] java is $JAVA_HOME"; exit 1`)
		w.failToStart(localdb.CodeInstall, "java is "+filepath.Dir(w.bin))
	})

	t.Run("is looked for in MAVEN_HOME first", func(t *testing.T) {
		w := newWorld(t)
		w.program("mvn", "")
		w.env["MAVEN_HOME"] = t.TempDir()
		want := filepath.Join(w.env["MAVEN_HOME"], "bin/mvn")
		writeScript(t, want, "")
		if got, _ := localdb.FindMaven(w.options.Env); got != want {
			t.Errorf("FindMaven = %s, want %s", got, want)
		}
	})
}

func TestMavenReason(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"first error":   {"[INFO] x\n[ERROR] Failed: a host -> [Help 1]\n[ERROR] more\n", "Failed: a host"},
		"no error line": {"The JAVA_HOME environment variable is not defined correctly\n\n", "The JAVA_HOME environment variable is not defined correctly"},
		"nothing":       {"", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := localdb.MavenReason(test.text); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
