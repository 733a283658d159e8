/** @module The API reference: one static page from the OpenAPI document, without a script, so that it works offline and under a strict policy. */

import { usualErrors } from "../document/answers.ts";
import { errorMeanings } from "../document/error-meanings.ts";
import type { OpenApiDocument } from "../document/openapi.ts";
import { type ErrorCode, errorStatus } from "../errors.ts";
import { type Html, html, paragraphs, sentence } from "./html.ts";
import { operationSection, type ReferencedOperation, resourceSection } from "./operation-section.ts";

/**
 * Renders the document for people. The stylesheet is `apiReferenceStyles`, served as a file of its own.
 *
 * @example
 * reply.type("text/html").send(apiReferencePage(apiDocument(), { stylesheet: "/docs/api.css", openApi: "/api/v1/openapi.json" }));
 */
export function apiReferencePage(
  document: OpenApiDocument,
  addresses: { stylesheet: string; openApi: string },
): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const groups = document.tags.map((tag) => ({
    ...tag,
    anchor: anchorOf(tag.name),
    operations: operations.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const built = operations.filter(({ operation }) => operation["x-fettle-built"]).length;
  const { schemas } = document.components;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title}</title>
<link rel="stylesheet" href="${addresses.stylesheet}">
</head>
<body>
<a class="skip" href="#content">Skip to the operations</a>
<nav aria-label="Operations">
<a class="brand" href="#top">Fettle <span>API</span></a>
<ul class="places">
<li><a href="#conventions">Conventions</a></li>
<li><a href="#errors">Errors</a></li>
<li><a href="#resources">Resources</a></li>
</ul>
${groups.map(navigationGroup)}
</nav>
<main id="top">
<header class="intro">
<h1>${document.info.title}</h1>
<p class="version"><span>${document.info.version}</span> ${operations.length} operations, ${built} built so far · <a href="${addresses.openApi}">OpenAPI 3.1 document</a></p>
</header>
<section id="conventions" class="prose">
<h2>Conventions</h2>
${paragraphs(document.info.description)}
<p>Writes that make something or spend take an <code>Idempotency-Key</code>: the same key and body again gives the first answer again, for 24 hours.</p>
<p>In the examples, <code>$FETTLE_API_URL</code> is this service's address ending in <code>${document.servers[0]?.url ?? ""}</code>, and <code>$FETTLE_API_KEY</code> your key.</p>
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
${Object.entries(schemas).map(([name, schema]) => resourceSection(name, schema))}
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
      html`<li><a href="#${operation.operationId}"${
        operation["x-fettle-built"] ? undefined : html` class="unbuilt"`
      }><span class="method ${method.toLowerCase()}">${method}</span> ${operation.operationId}</a></li>`,
  )}</ul>
</details>
`;
}

function errorTable(): Html {
  const codes = Object.keys(errorStatus) as ErrorCode[];
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
