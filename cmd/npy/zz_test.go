package main
import ("testing";"os";"strings";"time";"fmt";"io")
var lines = `info IN
struct IN
show IN
show --full IN
show --json IN
stats IN
stats --json IN
stats --quantiles 0.5 IN
stats --json --quantiles 0.5 IN
stats --axis 0 IN
stats --where c0>0 IN
show --where c0>0 IN
diff IN IN
diff IN COLS
diff --json IN COLS
verify IN
convert IN OUT.npy
convert IN OUT.npz
convert IN OUT.h5
convert IN OUT.mat
convert IN OUT.nc
convert IN OUT.csv
convert IN OUT.txt
convert IN OUT.json
convert IN OUT.ndjson
convert IN OUT.md
convert IN OUT.tex
convert IN OUT.png
ls IN
ls --attributes IN
ls --json IN
pack OUT.npz IN
unpack -q -C OUTD IN
info IN:*1*
info IN:nothing
show IN:a1
plot -o OUT.png IN
plot --x c0 -o OUT.png IN
fields --drop c0 IN OUT.npy
fields --sort IN OUT.npy
fields --rename c0=z IN OUT.npy
sort --by c1 IN OUT.npy
sort IN OUT.npy
unique IN
group --by c0 IN
sample -n 1 IN
cast f4 IN OUT.npy
transpose IN OUT.npy
reshape -1,1 IN OUT.npy
concat OUT.npy IN IN
split --rows 1 IN OUT.npz
head IN
tail IN
manifest IN -o OUT.json
refs IN -o OUT.json
struct --lang go IN
struct --lang c IN
struct --lang rust IN
struct --lang python IN
filter c0>0 IN OUT.npy`
func TestZZ(t *testing.T){
  for _, g := range growingWide {
    if f := os.Getenv("ONLY"); f != "" && !strings.Contains(g.name, f) { continue }
    dir := t.TempDir()
    var in [3]string
    for k := range 3 {
      in[k] = fmt.Sprintf("%s/%d%s", dir, k, g.name)
      os.WriteFile(in[k], []byte(g.make(g.n/16<<k)), 0o666)
    }
    for _, line := range strings.Split(lines, "\n") {
      if l := os.Getenv("LINE"); l != "" && !strings.Contains(line, l) { continue }
      if strings.HasSuffix(g.name, ".csv") || strings.HasSuffix(g.name, ".json") || strings.HasSuffix(g.name, ".npy") { if strings.Contains(line, ":") { continue } }
      var took [3]time.Duration; var mem [3]int; var outs [3]int; msg := ""
      for k := range 3 {
        out := fmt.Sprintf("%s/out", dir)
        os.RemoveAll(out); os.Mkdir(out, 0o777)
        l := strings.ReplaceAll(line, "IN", in[k]); l = strings.ReplaceAll(l, "OUTD", out+"/d"); l = strings.ReplaceAll(l, "OUT", out+"/o")
        l = strings.ReplaceAll(l, "COLS", in[(k+2)%3])
        var talk strings.Builder
        c := &drain{}
        m, s := allocated(), cpuTime()
        run(strings.Fields(l), nil, c, &talk)
        took[k], mem[k], outs[k] = cpuTime()-s, allocated()-m, c.n
        msg, _, _ = strings.Cut(strings.ReplaceAll(talk.String(), dir, ""), "\n")
      }
      flag := ""
      if took[2] > 100*time.Millisecond && (took[2] > 3*took[1] || took[2] > 400*time.Millisecond) { flag = " <<<<" }
      if mem[2] > 64<<20 && mem[2] > 3*mem[1] { flag += " MMMM" }
      if flag != "" || os.Getenv("ALL") != "" { fmt.Printf("%-20s %-34s %v %v %v  %d %d %d MB out %d%s %.60s\n", g.name, line, took[0].Round(time.Millisecond), took[1].Round(time.Millisecond), took[2].Round(time.Millisecond), mem[0]>>20, mem[1]>>20, mem[2]>>20, outs[2], flag, msg) }
    }
  }
  _ = io.Discard
}
