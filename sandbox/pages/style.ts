/** The pages' only style sheet. Colours follow the reader's light or dark setting. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #fbfafd; --card: #fff; --text: #28272d; --soft: #626168; --line: #dcdcde; --code: #f3f3f6;
  --link: #0b5cad; --accent: #6b4fbb; --green: #1f7e23; --blue: #1f75cb; --amber: #9e5400; --amber-back: #fdf1dd;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #18171d; --card: #232228; --text: #ececef; --soft: #a4a3a8; --line: #434248; --code: #2c2b32;
    --link: #8fc1f5; --accent: #b9a6f0; --green: #71c676; --blue: #6aa9ee; --amber: #f0b760; --amber-back: #3b2c12;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--back); color: var(--text); overflow-wrap: anywhere;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", "Noto Sans CJK JP", sans-serif; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main, body > header > div, body > footer { max-width: 62rem; margin: 0 auto; padding: 0 1rem; }
body > header { background: var(--card); border-bottom: 1px solid var(--line); }
body > header > div { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; padding-block: .7rem; }
body > header strong { color: var(--accent); }
body > header span { color: var(--soft); font-size: .85rem; }
body > footer { color: var(--soft); font-size: .85rem; padding-block: 2rem; }
h1 { font-size: 1.55rem; line-height: 1.3; margin: .4rem 0 .6rem; }
.crumbs { margin: 1.2rem 0 0; color: var(--soft); font-size: .9rem; }
.meta { display: flex; flex-wrap: wrap; gap: .4rem .6rem; align-items: center; color: var(--soft); font-size: .9rem; margin-bottom: 1rem; }
.state { color: #fff; background: var(--green); border-radius: 1rem; padding: .1rem .7rem; font-weight: 600; }
.state.closed { background: var(--blue); }
@media (prefers-color-scheme: dark) { .state { color: #101014; } }
.label { border: 1px solid var(--line); border-left: .5rem solid var(--accent); border-radius: .5rem; padding: 0 .6rem; color: var(--text); background: var(--card); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .2rem 1.1rem; margin: 0 0 1rem; }
.thread { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin: 0 0 1rem; }
.note { padding: .8rem 1.1rem .4rem; }
.note + .note { border-top: 1px solid var(--line); padding-left: 2.2rem; }
.note:target { box-shadow: inset .25rem 0 var(--accent); }
.note.system { color: var(--soft); font-size: .9rem; }
.note > header { display: flex; flex-wrap: wrap; gap: .2rem .6rem; align-items: center; font-size: .92rem; }
.note > header time a { color: var(--soft); text-decoration: none; }
.note > header time a:hover { text-decoration: underline; }
.avatar { width: 1.75rem; height: 1.75rem; border-radius: 50%; display: inline-grid; place-items: center; color: #fff; background: var(--accent); font-weight: 700; font-size: .85rem; }
@media (prefers-color-scheme: dark) { .avatar { color: #18171d; } }
.badge { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .55rem; font-size: .8rem; color: var(--soft); }
.internal { background: var(--amber-back); }
.badge.warn { color: var(--amber); border-color: currentColor; }
.awards { display: flex; flex-wrap: wrap; gap: .4rem; padding: 0 0 .5rem; font-size: .9rem; }
.awards span { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6rem; }
.md > :first-child { margin-top: .6rem; }
.md h1, .md h2, .md h3, .md h4 { line-height: 1.3; margin: 1.2rem 0 .4rem; }
.md h1 { font-size: 1.35rem; } .md h2 { font-size: 1.2rem; } .md h3 { font-size: 1.05rem; } .md h4 { font-size: 1rem; }
.md p, .md ul, .md ol { margin: .5rem 0; }
.md ul, .md ol { padding-left: 1.5rem; }
.md li.task { list-style: none; margin-left: -1.35rem; padding-left: 1.45rem; text-indent: -1.45rem; }
.md li.task > :is(ul, ol, div) { text-indent: 0; }
.md code { background: var(--code); border-radius: .25rem; padding: .1rem .3rem; font-size: .88em; }
.md blockquote { border-left: .25rem solid var(--line); margin: .6rem 0; padding: 0 .9rem; color: var(--soft); }
.md details { border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .8rem; margin: .6rem 0; }
.md summary { cursor: pointer; font-weight: 600; }
.mention { color: var(--accent); font-weight: 600; }
.fence { position: relative; margin: .6rem 0; }
.fence .language { position: absolute; right: .6rem; top: .3rem; color: var(--soft); font-size: .75rem; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: .4rem; padding: .7rem .9rem; margin: .6rem 0; overflow-x: auto; line-height: 1.45; }
.md pre code, pre code { background: none; padding: 0; font-size: .86rem; overflow-wrap: normal; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .6rem 0; font-size: .93rem; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
th { background: var(--code); }
td:first-child code { white-space: nowrap; }
.list { list-style: none; padding: 0; margin: 0; }
.list li { padding: .55rem 0; border-top: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .2rem .8rem; }
.list li:first-child { border-top: 0; }
.list small { color: var(--soft); }
.blob { border: 1px solid var(--line); border-radius: .4rem; background: var(--card); overflow-x: auto; padding: .5rem 0; }
.blob table { margin: 0; border: 0; font: .86rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; min-width: 100%; }
.blob td { border: 0; padding: 0 .9rem; white-space: pre; overflow-wrap: normal; }
.blob td:first-child { text-align: right; width: 1%; user-select: none; }
.blob td:first-child a { color: var(--soft); text-decoration: none; }
.blob tr:target td, .blob tr.marked td { background: var(--amber-back); }
@media (max-width: 40rem) {
  body { font-size: 15px; }
  .note + .note { padding-left: 1.1rem; }
  .card, .note { padding-left: .8rem; padding-right: .8rem; }
}
`;
