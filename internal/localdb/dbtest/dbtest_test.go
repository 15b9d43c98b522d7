package dbtest_test

import (
	"context"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"relata/internal/localdb/dbtest"
)

func TestStartGivesAServerThatAnswers(t *testing.T) {
	uri, user, password := dbtest.Start(t)
	driver, err := neo4j.NewDriverWithContext(uri, neo4j.BasicAuth(user, password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer driver.Close(context.Background())
	result, err := neo4j.ExecuteQuery(t.Context(), driver, "RETURN 1 AS one", nil, neo4j.EagerResultTransformer)
	if err != nil {
		t.Fatal(err)
	}
	if got := result.Records[0].AsMap()["one"]; got != int64(1) {
		t.Errorf("RETURN 1 = %v", got)
	}

	if again, _, _ := dbtest.Start(t); again != uri {
		t.Errorf("second Start = %s, want the first one's %s", again, uri)
	}
}
