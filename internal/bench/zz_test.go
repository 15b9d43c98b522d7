package bench_test
import ("testing";"os";"context"; "fmt"
"relata/graph";"relata/internal/bench")
func TestZZ(t *testing.T){
 uri:=os.Getenv("ZZURI"); if uri=="" {t.Skip()}
 b,err:=bench.Open(bench.Options{World:bench.WorldOptions{Memories:100000,Spaces:50,Seed:1},Rounds:40,Connect:graph.Options{URI:uri,User:"neo4j",Password:os.Getenv("ZZPW")}})
 if err!=nil{t.Fatal(err)}
 tb,err:=bench.SearchAlone(b,context.Background(),b.World.Spaces()[0]); if err!=nil{t.Fatal(err)}
 bench.Report{Tables:tb[:1]}.WriteText(os.Stdout)
 fmt.Println()
}
