/** @module How the API reference looks, in light and dark, on wide and narrow screens, and on paper. */

export const apiReferenceStyles = `:root {
  color-scheme: light dark;
  --canvas: light-dark(oklch(0.985 0.002 265), oklch(0.158 0.006 270));
  --surface: light-dark(oklch(1 0 0), oklch(0.19 0.007 270));
  --sunken: light-dark(oklch(0.968 0.003 265), oklch(0.222 0.009 270));
  --line: light-dark(oklch(0.918 0.004 265), oklch(0.272 0.009 270));
  --text: light-dark(oklch(0.215 0.012 265), oklch(0.955 0.003 265));
  --soft: light-dark(oklch(0.415 0.014 265), oklch(0.785 0.009 265));
  --faint: light-dark(oklch(0.5 0.014 265), oklch(0.69 0.012 265));
  --accent: light-dark(oklch(0.475 0.2 276), oklch(0.775 0.115 279));
  --accent-soft: light-dark(oklch(0.955 0.02 278), oklch(0.285 0.065 277));
  --good: light-dark(oklch(0.45 0.115 155), oklch(0.785 0.14 157));
  --good-soft: light-dark(oklch(0.955 0.032 158), oklch(0.27 0.045 158));
  --warn: light-dark(oklch(0.47 0.105 68), oklch(0.82 0.13 80));
  --warn-soft: light-dark(oklch(0.965 0.038 85), oklch(0.28 0.045 75));
  --bad: light-dark(oklch(0.49 0.19 26), oklch(0.775 0.125 24));
  --bad-soft: light-dark(oklch(0.96 0.022 22), oklch(0.275 0.06 24));
  --info: light-dark(oklch(0.46 0.105 240), oklch(0.79 0.1 235));
  --info-soft: light-dark(oklch(0.958 0.02 238), oklch(0.275 0.045 240));
  --code: light-dark(oklch(0.965 0.004 265), oklch(0.128 0.006 270));
  --sans: "Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: "Geist Mono Variable", ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--canvas); color: var(--text); font: 0.9375rem/1.55 var(--sans); -webkit-font-smoothing: antialiased; }
h1, h2, h3, h4, p, ul, dl, dd, pre, table { margin: 0; padding: 0; }
ul { list-style: none; }
a { color: var(--accent); text-decoration: none; text-underline-offset: 0.2em; }
a:hover, p a { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre, .path, .type, .method, .status { font-family: var(--mono); font-size: 0.8125rem; }
p code, dd code, td code { background: var(--sunken); border-radius: 4px; padding: 0.1em 0.35em; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; background: var(--surface); padding: 0.5rem 1rem; }

nav { position: fixed; inset: 0 auto 0 0; width: 17.5rem; overflow-y: auto; padding: 1.5rem 0.75rem 3rem; border-right: 1px solid var(--line); background: var(--surface); font-size: 0.8125rem; scrollbar-width: thin; }
nav a { color: var(--soft); display: block; padding: 0.3rem 0.75rem; border-radius: 6px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
nav a:hover { background: var(--sunken); color: var(--text); text-decoration: none; }
nav .brand { font-size: 1.0625rem; font-weight: 650; letter-spacing: -0.01em; color: var(--text); margin-bottom: 0.75rem; }
nav .brand span { color: var(--faint); font-weight: 450; }
nav .places { padding-bottom: 0.75rem; margin-bottom: 0.75rem; border-bottom: 1px solid var(--line); }
nav summary { cursor: pointer; display: flex; align-items: center; gap: 0.5rem; padding: 0.3rem 0.75rem; border-radius: 6px; font-weight: 550; list-style: none; }
nav summary::-webkit-details-marker { display: none; }
nav summary::before { content: ""; width: 0.35rem; height: 0.35rem; border: solid var(--faint); border-width: 0 1.5px 1.5px 0; rotate: -45deg; flex: none; }
nav details[open] > summary::before { rotate: 45deg; }
nav summary:hover { background: var(--sunken); }
nav summary span { margin-left: auto; color: var(--faint); font-weight: 400; font-variant-numeric: tabular-nums; }
nav details ul { padding: 0.125rem 0 0.5rem 0.5rem; }
nav details a { display: flex; gap: 0.5rem; align-items: baseline; }
nav details a .method { width: 2.75rem; flex: none; font-size: 0.625rem; font-weight: 600; background: none; padding: 0; text-align: left; }
nav [hidden], .search[hidden] { display: none; }
nav .back { color: var(--faint); margin-bottom: 0.25rem; }
.search { padding: 0 0.75rem 0.75rem; }
.search input { width: 100%; font: inherit; color: var(--text); background: var(--canvas); border: 1px solid var(--line); border-radius: 7px; padding: 0.4rem 0.6rem; }
.search p { color: var(--faint); padding-top: 0.25rem; min-height: 1.5rem; }

main { margin-left: 17.5rem; padding: 3.5rem clamp(1.5rem, 4vw, 4rem) 8rem; }
main > *, .tag > * { max-width: 76rem; }
h1 { font-size: 2.25rem; line-height: 1.15; letter-spacing: -0.03em; font-weight: 680; }
.version { margin-top: 0.75rem; color: var(--soft); }
.version span { background: var(--accent-soft); color: var(--accent); border-radius: 999px; padding: 0.15rem 0.6rem; font-size: 0.75rem; font-weight: 600; margin-right: 0.5rem; }
.prose { padding-top: 3rem; }
.prose p { max-width: 44rem; margin-top: 0.75rem; color: var(--soft); }
h2 { font-size: 1.375rem; letter-spacing: -0.02em; font-weight: 650; }
table { border-collapse: collapse; margin-top: 1rem; width: 100%; max-width: 60rem; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; border-spacing: 0; border-collapse: separate; overflow: hidden; }
th, td { text-align: left; padding: 0.5rem 1rem; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-size: 0.75rem; font-weight: 550; color: var(--faint); background: var(--sunken); }
tbody th { font-weight: 500; white-space: nowrap; }
td { color: var(--soft); }
tr:target { background: var(--accent-soft); }

.tag { padding-top: 5rem; }
.tag-title { padding-bottom: 1rem; border-bottom: 1px solid var(--line); }
.tag-title p { color: var(--soft); margin-top: 0.25rem; }
.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(20rem, 27rem); column-gap: 3rem; padding: 2.25rem 0; border-bottom: 1px solid var(--line); }
.operation > header { grid-column: 1 / -1; margin-bottom: 1.25rem; }
h3 { font-size: 1.0625rem; line-height: 1.4; letter-spacing: -0.01em; font-weight: 600; }
h3 a { color: inherit; }
.operation:target > header h3 a, .resource:target > h3 a { color: var(--accent); }
.route { margin-top: 0.5rem; }
.path, h3, code { overflow-wrap: anywhere; }
.path var { font-style: normal; color: var(--accent); }
.route .path { background: none; padding: 0; margin-left: 0.35rem; }
.method { display: inline-block; border-radius: 5px; padding: 0.1rem 0.4rem; font-size: 0.6875rem; font-weight: 650; letter-spacing: 0.02em; }
.method.get { color: var(--info); background: var(--info-soft); }
.method.post { color: var(--good); background: var(--good-soft); }
.method.put, .method.patch { color: var(--warn); background: var(--warn-soft); }
.method.delete { color: var(--bad); background: var(--bad-soft); }
.marks { display: flex; flex-wrap: wrap; gap: 0.375rem; margin-top: 0.625rem; }
.marks:empty { display: none; }
.marks li { font-size: 0.75rem; border-radius: 999px; padding: 0.1rem 0.6rem; }
.marks .warn { background: var(--warn-soft); color: var(--warn); }
.marks .bad { background: var(--bad-soft); color: var(--bad); }
h4 { font-size: 0.75rem; font-weight: 600; color: var(--faint); margin: 1.5rem 0 0.375rem; }
.try h4:first-child { margin-top: 0; }
.summary { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: 0.25rem 0.75rem; }
.summary dt { color: var(--faint); font-size: 0.8125rem; padding-top: 0.1rem; }
.summary dd { overflow-wrap: anywhere; }
.beyond { display: block; color: var(--soft); font-size: 0.8125rem; }
.note { color: var(--soft); font-size: 0.875rem; margin-top: 0.5rem; }
.fields > li { padding: 0.5rem 0; border-top: 1px solid var(--line); }
.fields > li:first-child { border-top: 0; }
.fields .name { font-weight: 600; margin-right: 0.375rem; }
.fields .type { color: var(--soft); overflow-wrap: anywhere; }
.fields .required, .fields .optional { color: var(--warn); font-size: 0.75rem; margin-left: 0.25rem; }
.fields .optional { color: var(--faint); }
.fields p { color: var(--soft); font-size: 0.8125rem; }
.fields .fields { margin: 0.375rem 0 0 0.25rem; padding-left: 1rem; border-left: 2px solid var(--line); }
.shape { margin-top: 0.25rem; }
.shape summary { cursor: pointer; color: var(--faint); font-size: 0.8125rem; width: fit-content; }
.status { color: var(--faint); font-weight: 500; }
.errors { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
.errors a { color: var(--soft); font: 0.75rem var(--mono); }
.errors .status { font-size: 0.75rem; }
.try { align-self: start; position: sticky; top: 1.5rem; min-width: 0; }
pre { background: var(--code); border-radius: 10px; padding: 0.875rem 1rem; line-height: 1.6; border: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { font-size: 0.75rem; }
.resource { padding: 2rem 0; border-bottom: 1px solid var(--line); max-width: 48rem; }
.resource h3 { margin-bottom: 0.5rem; }

@media (max-width: 72rem) {
  .operation { grid-template-columns: minmax(0, 1fr); }
  .try { position: static; margin-top: 1.5rem; }
}
@media (max-width: 52rem) {
  nav { position: static; width: auto; border-right: 0; border-bottom: 1px solid var(--line); max-height: 45vh; }
  main { margin-left: 0; padding-top: 2rem; }
  table { display: block; overflow-x: auto; }
}
@media print {
  nav, .skip, .try { display: none; }
  main { margin: 0; padding: 0; }
  .operation { display: block; break-inside: avoid; }
}
`;
