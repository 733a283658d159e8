/**
 * The bookshelf widget: one self-contained page (MCP Apps, `ui://`) that loads nothing and talks only to its host.
 * It is a string rather than an .html file so that it survives bundling.
 * @module
 */

export const SHELF_WIDGET_URI = "ui://bookshop/shelf.html";
export const WIDGET_MIME_TYPE = "text/html;profile=mcp-app";

export const SHELF_WIDGET_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bookshelf</title>
<style>
  :root {
    color-scheme: light dark;
    --ink: var(--color-text-primary, light-dark(#2b2420, #f3ece4));
    --soft: var(--color-text-secondary, light-dark(#6f625a, #b5a89d));
    --paper: var(--color-background-primary, light-dark(#fbf7f1, #1d1815));
    --board: light-dark(#d9c3a5, #4a382a);
    --board-edge: light-dark(#bfa37e, #31251b);
    --focus: light-dark(#8a4b1f, #ffb877);
  }
  :root[data-theme="light"] { color-scheme: light; }
  :root[data-theme="dark"] { color-scheme: dark; }
  * { box-sizing: border-box; }
  body { margin: 0; padding: 16px; background: var(--paper); color: var(--ink);
    font: 14px/1.45 var(--font-sans, ui-sans-serif, system-ui, sans-serif); }
  header { display: flex; align-items: baseline; gap: 10px; margin-bottom: 14px; }
  h1 { margin: 0; font: 600 20px/1.2 Georgia, "Times New Roman", serif; text-transform: capitalize; }
  #count { color: var(--soft); }
  #shelf { list-style: none; margin: 0; padding: 0; display: grid; row-gap: 18px;
    grid-template-columns: repeat(auto-fill, minmax(126px, 1fr)); }
  #shelf li { border-bottom: 8px solid var(--board); box-shadow: 0 3px 0 var(--board-edge); padding: 0 9px; }
  .cover { display: flex; flex-direction: column; justify-content: space-between; width: 100%; aspect-ratio: 2 / 3;
    padding: 12px 10px; border: 0; border-radius: 3px 6px 6px 3px; cursor: pointer; text-align: left; color: #fff;
    background: linear-gradient(90deg, rgb(0 0 0 / .28) 0 5px, transparent 5px 7px, rgb(255 255 255 / .12) 7px 8px, transparent 8px),
      linear-gradient(160deg, hsl(var(--hue) 42% 40%), hsl(calc(var(--hue) + 24) 48% 24%));
    box-shadow: 0 6px 14px rgb(0 0 0 / .22); transition: transform .15s ease; }
  .cover:hover { transform: translateY(-4px); }
  .cover:focus-visible, button.plain:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
  .cover b { font: 600 14px/1.2 Georgia, "Times New Roman", serif; overflow-wrap: anywhere; }
  .cover span { font-size: 11px; opacity: .88; }
  footer { display: flex; justify-content: flex-end; margin-top: 16px; }
  button.plain { font: inherit; color: inherit; background: none; border: 1px solid var(--board-edge);
    border-radius: 6px; padding: 6px 14px; cursor: pointer; }
  button.plain:disabled { opacity: .5; cursor: default; }
  #details { margin-bottom: 18px; padding: 14px 16px; border-left: 4px solid var(--board); }
  #details h2 { margin: 0 0 2px; font: 600 17px/1.25 Georgia, "Times New Roman", serif; }
  #details p { margin: 0 0 10px; }
  .meta { color: var(--soft); }
  [hidden] { display: none !important; }
  @media (prefers-reduced-motion: reduce) { .cover { transition: none; } }
</style>
</head>
<body>
<header><h1 id="heading">Bookshelf</h1><span id="count" role="status">Fetching the books…</span></header>
<section id="details" aria-live="polite" hidden>
  <h2></h2><p class="meta"></p><p class="blurb"></p><button class="plain" id="ask">Ask about this book</button>
</section>
<ul id="shelf"></ul>
<footer><button class="plain" id="more" hidden>More books</button></footer>
<script>
"use strict";
const HUES = { mystery: 258, "science-fiction": 198, history: 24, poetry: 330, cookery: 8, children: 45, nature: 138, travel: 214 };
const byId = (id) => document.getElementById(id);
const waiting = new Map();
let nextId = 1;
let genre;
let shown = 0;

function post(message) { parent.postMessage({ jsonrpc: "2.0", ...message }, "*"); }
function request(method, params) {
  const id = nextId++;
  post({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

addEventListener("message", (event) => {
  const message = event.data;
  if (event.source !== parent || !message || message.jsonrpc !== "2.0") return;
  if (message.method) return receive(message);
  const call = waiting.get(message.id);
  if (!call) return;
  waiting.delete(message.id);
  if (message.error) call.reject(new Error(message.error.message)); else call.resolve(message.result);
});

function receive({ id, method, params = {} }) {
  if (method === "ui/notifications/tool-input") genre = params.arguments && params.arguments.genre;
  else if (method === "ui/notifications/tool-result") { byId("shelf").replaceChildren(); shown = 0; showPage(params); }
  else if (method === "ui/notifications/tool-cancelled") byId("count").textContent = "Cancelled.";
  else if (method === "ui/notifications/host-context-changed") dress(params);
  else if (method === "ui/resource-teardown" || method === "ping") post({ id, result: {} });
  else if (id !== undefined) post({ id, error: { code: -32601, message: "Method not found" } });
}

function dress(context) {
  if (!context) return;
  if (context.theme) document.documentElement.dataset.theme = context.theme;
  const variables = context.styles && context.styles.variables || {};
  for (const [name, value] of Object.entries(variables))
    if (name.startsWith("--") && typeof value === "string") document.documentElement.style.setProperty(name, value);
}

function showPage(result) {
  const page = result.structuredContent;
  if (result.isError || !page) { byId("count").textContent = "The shelf could not be read."; return; }
  for (const book of page.books) byId("shelf").append(cover(book));
  shown += page.books.length;
  byId("heading").textContent = page.heading;
  byId("count").textContent = shown + " of " + page.total + " books";
  const more = byId("more");
  more.hidden = !page.nextCursor;
  more.disabled = false;
  more.onclick = async () => {
    more.disabled = true;
    try { showPage(await callTool("turn_shelf_page", { genre, cursor: page.nextCursor })); }
    catch (error) { byId("count").textContent = error.message; more.disabled = false; }
  };
}

function cover(book) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  const title = document.createElement("b");
  const author = document.createElement("span");
  button.className = "cover";
  button.style.setProperty("--hue", HUES[book.genre]);
  title.textContent = book.title;
  author.textContent = book.author;
  button.append(title, author);
  button.onclick = () => showDetails(book);
  item.append(button);
  return item;
}

async function showDetails(book) {
  const details = byId("details");
  details.querySelector("h2").textContent = book.title;
  details.querySelector(".meta").textContent = book.author + ", " + book.year + " · €" + (book.priceCents / 100).toFixed(2);
  details.querySelector(".blurb").textContent = "…";
  details.hidden = false;
  byId("ask").onclick = () => request("ui/message", { role: "user", content: [{ type: "text", text: "Tell me more about “" + book.title + "”." }] }).catch(() => {});
  try {
    const { structuredContent } = await callTool("get_book", { bookId: book.id });
    details.querySelector(".blurb").textContent = structuredContent.blurb;
  } catch (error) { details.querySelector(".blurb").textContent = error.message; }
}

function callTool(name, args) { return request("tools/call", { name, arguments: JSON.parse(JSON.stringify(args)) }); }

new ResizeObserver(() => {
  const { width, height } = document.documentElement.getBoundingClientRect();
  post({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } });
}).observe(document.documentElement);

request("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "bookshelf", version: "1.0.0" }, appCapabilities: {} })
  .then((host) => { dress(host.hostContext); post({ method: "ui/notifications/initialized", params: {} }); })
  .catch((error) => { byId("count").textContent = error.message; });
</script>
</body>
</html>
`;
