"""The style sheet of the HTML output: a readable column, light and dark, and fit to print."""

CSS = """\
:root { color-scheme: light dark; --ink: #1d1d1f; --soft: #6b6b70; --line: #d4d4d8; --paper: #fdfdfc; --tint: #f3f3f1; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e2; --soft: #9b9b9f; --line: #3c3c40; --paper: #161617; --tint: #202022; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 Charter, "Bitstream Charter",
  "Iowan Old Style", Georgia, "Noto Serif", serif; text-rendering: optimizeLegibility; }
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.5rem 6rem; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { font-family: system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; line-height: 1.25;
  margin: 2em 0 0.6em; text-wrap: balance; }
h1 { font-size: 1.9rem; margin-top: 1em; } h2 { font-size: 1.4rem; } h3 { font-size: 1.15rem; }
h4, h5, h6 { font-size: 1rem; } h5, h6 { color: var(--soft); }
p, ul, ol { margin: 0 0 1em; } ul, ol { padding-left: 1.6em; } li > ul, li > ol { margin: 0; }
figure { margin: 1.5em 0; text-align: center; }
img { max-width: 100%; height: auto; background: #fff; }
.caption { font-size: 0.9rem; color: var(--soft); }
.footnote { font-size: 0.875rem; line-height: 1.45; border-left: 2px solid var(--line); padding-left: 0.8em; }
.page-header, .page-footer { font-size: 0.8rem; color: var(--soft); }
.failed { border: 1px solid #c8553d; border-radius: 4px; padding: 0.6em 1em; color: #c8553d; }
.table { overflow-x: auto; margin: 1.5em 0; }
table { border-collapse: collapse; font-size: 0.9rem; line-height: 1.4; font-variant-numeric: tabular-nums;
  border-top: 2px solid var(--ink); border-bottom: 2px solid var(--ink); }
th, td { padding: 0.35em 0.8em; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } thead { border-bottom: 1.5px solid var(--ink); background: var(--tint); }
math { font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", "Libertinus Math", math; }
math [mathvariant^="bold"] { font-weight: bold; } mtd[columnalign="left"] { text-align: left; }
mtd[columnalign="right"] { text-align: right; padding-right: 0; }
mtd[columnalign="right"] + mtd[columnalign="left"] { padding-left: 0; }
pre { overflow-x: auto; background: var(--tint); border: 1px solid var(--line); border-radius: 4px; padding: 0.7em 1em;
  line-height: 1.45; }
code { font-family: ui-monospace, monospace; font-size: 0.88em; }
.math { font-family: ui-monospace, monospace; }
.math.display { display: grid; grid-template-columns: minmax(max-content, 1fr) auto minmax(max-content, 1fr);
  align-items: center; text-align: center; overflow: auto hidden; padding: 0.3em 0; margin: 1em 0; }
.math.display > math { grid-column: 2; font-size: 1.1em; } .math.display.mathjax_process { display: block; }
.math .number { grid-column: 3; text-align: right; padding-left: 1em; font-family: Charter, "Bitstream Charter",
  "Iowan Old Style", Georgia, "Noto Serif", serif; }
sup, sub { font-size: 0.72em; line-height: 0; }
.page { position: relative; height: 0; }
.page a { position: absolute; right: 100%; margin-right: 1.2rem; top: 0.15em; font: 0.75rem system-ui, sans-serif;
  color: var(--soft); text-decoration: none; }
.page:target a { color: var(--ink); font-weight: 700; }
.page-breaks .page:not(:first-child) { height: auto; border-top: 1px dashed var(--line); margin: 3em 0 1.5em; }
@media (max-width: 52rem) { .page a { right: 0; margin: 0; } }
@media print { .page a { color: #999; } body { font-size: 10.5pt; } main { max-width: none; padding: 0; } }
"""
