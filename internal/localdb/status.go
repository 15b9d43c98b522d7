package localdb

import "context"

// State is the condition of a managed database; doc.go tells what each means.
type State string

// The states.
const (
	StateRunning  State = "running"
	StateStarting State = "starting"
	StateStopping State = "stopping"
	StateStopped  State = "stopped"
	StateCrashed  State = "crashed"
)

// StatusReport describes the database of a data folder. All fields are always there
// in JSON; PID is 0 where no process lives, and the addresses are empty as long
// as no port was ever chosen.
type StatusReport struct {
	State        State  `json:"state"`
	Version      string `json:"version"`
	PID          int    `json:"pid"`
	Bolt         string `json:"bolt"`
	HTTP         string `json:"http"`
	Browser      string `json:"browser"`
	User         string `json:"user"`
	PasswordFile string `json:"password_file"`
	DataDir      string `json:"data_dir"`
}

// Status looks at the folder and, if a process lives, asks whether it answers.
// It changes nothing and waits for no lock.
func Status(ctx context.Context, o Options) (StatusReport, error) {
	o, err := o.withDefaults()
	if err != nil {
		return StatusReport{}, err
	}
	d := data{o.DataDir}
	report := StatusReport{State: StateStopped, Version: Version, User: User, PasswordFile: d.password(), DataDir: o.DataDir}
	var p ports
	if _, err := readJSON(d.ports(), &p); err != nil {
		return StatusReport{}, err
	}
	s, err := readServer(d)
	if err != nil {
		return StatusReport{}, err
	}
	switch {
	case s.alive():
		p, report.PID, report.Version = s.ports, s.PID, s.Version
		switch {
		case s.Stopping:
			report.State = StateStopping
		case boltAnswers(ctx, s.Bolt):
			report.State = StateRunning
		default:
			report.State = StateStarting
		}
	case s.crashed(d):
		report.State = StateCrashed
	}
	if p.known() {
		report.Bolt, report.HTTP, report.Browser = p.boltURI(), p.httpURL(), p.browserURL()
	}
	return report, nil
}
