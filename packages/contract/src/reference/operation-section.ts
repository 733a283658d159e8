/** @module One operation of the API reference: what it does, who may call it, what goes in and out, and how to try it. */

import { errorStatus } from "../core/errors.ts";
import { usualErrors } from "../document/answers.ts";
import { operationExamples } from "../document/examples.ts";
import { componentPrefix, type JsonSchema } from "../document/json-schema.ts";
import type { OpenApiOperation, OpenApiParameter } from "../document/openapi.ts";
import { curlExample } from "./example.ts";
import { capitalised, fieldList, resourceLink, typeOf } from "./fields.ts";
import { Html, html, sentence } from "./html.ts";

type Schemas = Record<string, JsonSchema>;

export interface ReferencedOperation {
  method: string;
  path: string;
  operation: OpenApiOperation;
}

export function operationSection({ method, path, operation }: ReferencedOperation, schemas: Schemas): Html {
  const id = operation.operationId;
  return html`<article id="${id}" class="operation">
<header>
<h3><a href="#${id}">${operation.summary}</a></h3>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code class="path">${pathMarkup(path)}</code></p>
<ul class="marks">${marks(operation)}</ul>
</header>
<div class="facts">
<dl class="summary">
<dt>Who</dt><dd>${capitalised(operation["x-fettle-access"])}${
    operation["x-fettle-elevated"] && html`<span class="beyond">${operation["x-fettle-elevated"]}</span>`
  }</dd>
<dt>Operation</dt><dd><code>${id}</code></dd>
</dl>
${operation.description && html`<p class="note">${sentence(operation.description)}</p>`}
${parameters(operation)}
${requestBody(operation, schemas)}
${answer(operation, schemas)}
${errors(operation)}
</div>
<div class="try">
${tried(id)}
${operation["x-fettle-cli"] && html`<h4>In the terminal</h4><pre aria-label="Command for ${id}"><code>${operation["x-fettle-cli"]}</code></pre>`}
</div>
</article>
`;
}

function tried(id: string): Html | undefined {
  const example = operationExamples[id];
  return (
    example &&
    html`<h4>Call</h4>
<pre aria-label="curl example for ${id}"><code>${curlExample(example)}</code></pre>
${example.needs && html`<p class="note">Needs ${sentence(example.needs)}</p>`}
${example.races && html`<p class="note">Answers 409 where it comes too late: what it cancels ends by itself.</p>`}
<details class="shape"><summary>What it answers</summary><pre aria-label="Answer of ${id}"><code>${JSON.stringify(example.answer, null, 2)}</code></pre></details>`
  );
}

function pathMarkup(path: string): Html[] {
  return path.split(/(\{\w+\})/).map((part) => {
    if (part.startsWith("{")) return html`<var>${part}</var>`;
    // A long path may break after a slash, nowhere else.
    return new Html(html`${part}`.markup.replaceAll("/", "/<wbr>"));
  });
}

function marks(operation: OpenApiOperation): Html[] {
  const spends = operation["x-fettle-spends"];
  return [
    operation.deprecated && html`<li class="warn">Deprecated</li>`,
    spends && html`<li class="warn">${spends === "opt_in" ? "Spends when asked" : "Spends budget"}</li>`,
    operation["x-fettle-narrows"] && html`<li class="bad">Narrows access</li>`,
  ].filter((mark) => mark instanceof Html);
}

/** Path parameters are plain ids, seen in the path itself. */
function parameters(operation: OpenApiOperation): Html | undefined {
  const query = (operation.parameters ?? []).filter(
    (one): one is OpenApiParameter => "in" in one && one.in === "query",
  );
  const fields = {
    properties: Object.fromEntries(
      query.map(({ name, schema, description }) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
  const takesKey = operation.parameters?.some((parameter) => "$ref" in parameter);
  return html`${query.length > 0 && html`<h4>Query</h4>${fieldList(fields, "required")}`}${
    takesKey &&
    html`<p class="note">Takes an <a href="#conventions"><code>Idempotency-Key</code></a> header.</p>`
  }`;
}

function requestBody(operation: OpenApiOperation, schemas: Schemas): Html | undefined {
  const schema = operation.requestBody?.content["application/json"].schema;
  return schema && html`<h4>Body</h4>${fieldList(resolved(schema, schemas), "required")}`;
}

/** Nothing is said of an answer that has no schema yet. */
function answer(operation: OpenApiOperation, schemas: Schemas): Html | undefined {
  const [status, response] = Object.entries(operation.responses)[0] ?? [];
  if (!response || !("content" in response)) return undefined;
  if ("text/event-stream" in response.content)
    return html`<h4>Answer <span class="status">${status}</span></h4><p>${sentence(response.description)}</p>`;
  const { schema } = response.content["application/json"];
  if (!schema.$ref && !schema.properties) return undefined;
  const title = html`<h4>Answer <span class="status">${status}</span></h4>`;
  if (!schema.$ref) return html`${title}${fieldList(schema, "optional")}`;
  return html`${title}<p>${typeOf(schema)}</p><details class="shape"><summary>Fields</summary>${fieldList(resolved(schema, schemas), "optional")}</details>`;
}

function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  return schema.$ref ? (schemas[schema.$ref.slice(componentPrefix.length)] ?? {}) : schema;
}

function errors(operation: OpenApiOperation): Html {
  const own = operation["x-fettle-error-codes"].filter((code) => !usualErrors.includes(code));
  const codes = own.map(
    (code) =>
      html`<li><a href="#error-${code}"><span class="status">${errorStatus[code]}</span> ${code}</a></li>`,
  );
  return html`<h4>Errors</h4><ul class="errors">${codes}<li><a href="#errors">${own.length > 0 && "and "}the usual ones</a></li></ul>`;
}

export function resourceSection(name: string, schema: JsonSchema): Html {
  return html`<article id="resource-${name}" class="resource">
<h3>${resourceLink(name)}</h3>
${schema.description && html`<p class="note">${sentence(schema.description)}</p>`}
${fieldList(schema, name.endsWith("Request") ? "required" : "optional")}
</article>
`;
}
