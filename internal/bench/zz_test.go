package bench_test
import ("testing";"os";"runtime/pprof";"time";"fmt"
"relata/graph";"relata/internal/bench")
func TestZZ(t *testing.T){
 uri:=os.Getenv("ZZURI"); if uri=="" {t.Skip()}
 b,err:=bench.Open(bench.Options{World:bench.WorldOptions{Memories:100000,Spaces:50,Seed:1},Connect:graph.Options{URI:uri,User:"neo4j",Password:os.Getenv("ZZPW")}})
 if err!=nil{t.Fatal(err)}
 s:=b.World.Spaces()[0]
 qs:=b.World.Questions(s,200)
 ask:=func(i int){ var q []graph.Query; for k:=0;k<10;k++{q=append(q,graph.Query{Memory:qs[(i*10+k)%200].Text,All:true,Limit:10})}
  if _,err:=b.Store().Search(t.Context(),graph.SearchRequest{Space:s.Name,Queries:q,Now:time.Now()});err!=nil{t.Fatal(err)} }
 for i:=0;i<5;i++{ask(i)}
 f,_:=os.Create("/tmp/zz.prof"); pprof.StartCPUProfile(f)
 st:=time.Now()
 for i:=0;i<30;i++{ask(i)}
 pprof.StopCPUProfile(); fmt.Println(time.Since(st)/30)
}
