/** @module The API reference: one static page from the OpenAPI document, of what is built. Its script only finds and colours, so that it can be read without. */

import { errorStatus } from "../core/errors.ts";
import { keysOf } from "../core/known.ts";
import { usualErrors } from "../document/answers.ts";
import { errorMeanings } from "../document/error-meanings.ts";
import type { JsonSchema } from "../document/json-schema.ts";
import type { OpenApiDocument } from "../document/openapi.ts";
import { setUpExample } from "./example.ts";
import { type Html, html, paragraphs, sentence } from "./html.ts";
import { operationSection, type ReferencedOperation, resourceSection } from "./operation-section.ts";

/**
 * Renders the document for people. The stylesheet is `apiReferenceStyles`, served as a file of its own.
 *
 * @example
 * reply.type("text/html").send(apiReferencePage(apiDocument(), { stylesheet: "/docs/api.css", script: "/docs/api.js", openApi: "/api/v1/openapi.json" }));
 */
export function apiReferencePage(
  document: OpenApiDocument,
  addresses: { stylesheet: string; script: string; openApi: string },
): string {
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
    .filter(({ operation }) => operation["x-fettle-built"]);
  const groups = document.tags
    .map((tag) => ({
      ...tag,
      anchor: anchorOf(tag.name),
      operations: operations.filter(({ operation }) => operation.tags[0] === tag.name),
    }))
    .filter((group) => group.operations.length > 0);
  const { schemas } = document.components;
  const used = usedSchemas(operations, schemas);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title}</title>
<script src="${addresses.script}"></script>
<link rel="stylesheet" href="${addresses.stylesheet}">
</head>
<body>
<a class="skip" href="#content">Skip to the operations</a>
<nav aria-label="Operations">
<a class="back" href="/">← Back to Fettle</a>
<a class="brand" href="#top">Fettle <span>API</span></a>
<div class="search" role="search" hidden><input type="search" aria-label="Find an operation" placeholder="Find an operation  /" spellcheck="false"><p role="status"></p></div>
<ul class="places">
<li><a href="#conventions">Conventions</a></li>
<li><a href="#examples">Examples</a></li>
<li><a href="#errors">Errors</a></li>
<li><a href="#resources">Resources</a></li>
</ul>
${groups.map(navigationGroup)}
</nav>
<main id="top">
<header class="intro">
<h1>${document.info.title}</h1>
<p class="version"><span>${document.info.version}</span> ${operations.length} operations · <a href="${addresses.openApi}">OpenAPI 3.1 document</a></p>
</header>
<section id="conventions" class="prose">
<h2>Conventions</h2>
${paragraphs(document.info.description)}
<p>Writes that make something or spend take an <code>Idempotency-Key</code>: the same key and body again gives the first answer again, for 24 hours.</p>
<p>More about ids, timestamps, cursors, stale writes, repeated calls and canceling is in <code>docs/conventions.md</code>.</p>
</section>
<section id="examples" class="prose">
<h2>Try the examples</h2>
<p>Paste this once, with your address and key; every example then works as it stands. It looks up what your first project has, and makes what the sample project of <code>npm start</code> does not have.</p>
<pre aria-label="Set up the examples"><code>${setUpExample(document.servers[0]?.url ?? "")}</code></pre>
</section>
<section id="errors" class="prose">
<h2>Errors</h2>
<p>Any operation may answer ${usualErrors.map((code, index) => html`${index > 0 && ", "}<code>${code}</code>`)}; the others stand with the operations that use them.</p>
${errorTable()}
</section>
<div id="content">
${groups.map(
  (group) => html`<section id="${group.anchor}" class="tag">
<div class="tag-title"><h2>${group.name}</h2><p>${group.description}</p></div>
${group.operations.map((operation) => operationSection(operation, schemas))}
</section>
`,
)}
<section id="resources" class="tag">
<div class="tag-title"><h2>Resources</h2><p>Shapes that several operations share. Answers may gain fields; ignore those you do not know.</p></div>
${Object.entries(schemas)
  .filter(([name]) => used.has(name))
  .map(([name, schema]) => resourceSection(name, schema))}
</section>
</div>
</main>
</body>
</html>
`;
  return page.markup;
}

function navigationGroup(group: { name: string; anchor: string; operations: ReferencedOperation[] }): Html {
  return html`<details>
<summary>${group.name} <span>${group.operations.length}</span></summary>
<ul><li><a href="#${group.anchor}">Overview</a></li>${group.operations.map(
    ({ method, operation }) =>
      html`<li><a href="#${operation.operationId}"><span class="method ${method.toLowerCase()}">${method}</span> ${operation.operationId}</a></li>`,
  )}</ul>
</details>
`;
}

/** What the operations speak of, and what that speaks of in turn. */
function usedSchemas(operations: unknown, schemas: Record<string, JsonSchema>): Set<string> {
  const used = new Set<string>();
  const waiting: unknown[] = [operations];
  while (waiting.length > 0) {
    const names = JSON.stringify(waiting.pop()).match(/(?<="#\/components\/schemas\/)\w+(?=")/g) ?? [];
    for (const name of names) {
      if (used.has(name)) continue;
      used.add(name);
      waiting.push(schemas[name] ?? null);
    }
  }
  return used;
}

function errorTable(): Html {
  const codes = keysOf(errorStatus);
  return html`<table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>${codes.map(
    (
      code,
    ) => html`<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td>${errorStatus[code]}</td><td>${sentence(errorMeanings[code])}</td></tr>
`,
  )}</tbody>
</table>`;
}

function anchorOf(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(" ", "-")}`;
}
