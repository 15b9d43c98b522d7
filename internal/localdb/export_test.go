package localdb

// What the tests of this package see of its inside.
var (
	FindJava     = findJava
	MajorVersion = majorVersion
	FindMaven    = findMaven
	MavenReason  = mavenReason
	ChoosePorts  = choosePorts
	Diagnose     = diagnose
	CheckSpace   = checkSpace
	Arguments    = javaArguments
)

// Ports are the ports of a server.
type Ports = ports

// SettingKeys returns the keys of neo4j.conf in order.
func SettingKeys(o Options) []string {
	var keys []string
	for _, s := range settings(o, ports{Bolt: 1, HTTP: 2}) {
		keys = append(keys, s.key)
	}
	return keys
}
