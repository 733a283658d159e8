/** @module The one style of an HTML report. The page's policy allows it by its digest, and no other. */
export const style = `
:root{color-scheme:light dark;--bg:#fff;--fg:#16181d;--dim:#5c6370;--line:#e3e5e9;--soft:#f6f7f9;--ok:#1a7f45;--bad:#b42318;--warn:#96610a}
@media (prefers-color-scheme:dark){:root{--bg:#14161a;--fg:#e7e9ee;--dim:#9aa2b1;--line:#2b2f37;--soft:#1b1e24;--ok:#4cc38a;--bad:#ff8a7a;--warn:#e7b85b}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem 4rem}h1{font-size:1.5rem;margin:0}h2{font-size:1.05rem;margin:2rem 0 .5rem}
.lead{display:flex;gap:.75rem;align-items:center;flex-wrap:wrap}.tag{border-radius:1rem;padding:.1rem .7rem;font-weight:600;border:1px solid currentColor}
.passed{color:var(--ok)}.failed{color:var(--bad)}.inconclusive{color:var(--warn)}.dim{color:var(--dim)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.75rem;margin:1.25rem 0}
.facts div{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .8rem}.facts b{display:block;font-size:1.25rem}
details{border:1px solid var(--line);border-radius:.5rem;margin:.6rem 0;background:var(--bg)}
summary{cursor:pointer;padding:.6rem .8rem;display:flex;gap:.6rem;align-items:baseline;flex-wrap:wrap}summary b{flex:1 1 16rem;overflow-wrap:anywhere}
.body{padding:0 .8rem .8rem}ul.checks{list-style:none;padding:0;margin:.4rem 0}ul.checks li{padding:.15rem 0;overflow-wrap:anywhere}
.say{border-left:3px solid var(--line);padding:.2rem 0 .2rem .7rem;margin:.5rem 0}.say.user{border-color:var(--dim)}.say.call{border-color:var(--warn)}.say.fault{border-color:var(--bad)}
.who{font-size:.8rem;color:var(--dim)}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0;font:13px/1.45 ui-monospace,monospace;background:var(--soft);padding:.5rem;border-radius:.4rem;max-height:24rem;overflow:auto}
.note{border-left:3px solid var(--warn);padding:.3rem .8rem;background:var(--soft);margin:.6rem 0}
table{border-collapse:collapse;width:100%;margin:.6rem 0}th,td{border:1px solid var(--line);padding:.3rem .6rem;text-align:left;overflow-wrap:anywhere}th{font-weight:600}thead th{background:var(--soft)}td.number{text-align:right;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}a{color:inherit}
svg.time{display:block;margin:.4rem 0}svg.time text{font:11px system-ui,sans-serif;fill:var(--dim)}svg.time .llm{fill:var(--dim)}svg.time .tool{fill:var(--warn)}svg.time .bad{fill:var(--bad)}
`;
