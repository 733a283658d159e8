import { describe, expect, it } from "vitest";
import { z } from "zod";
import { access, operation } from "../core/operation.ts";
import { apiDocument } from "../document/api-document.ts";
import { openApiDocument } from "../document/openapi.ts";
import { html } from "./html.ts";
import { apiReferencePage } from "./page.ts";
import { apiReferenceStyles } from "./styles.ts";

const addresses = { script: "/docs/api.js", stylesheet: "/docs/api.css", openApi: "/api/v1/openapi.json" };
const page = apiReferencePage(apiDocument(), addresses);

function all(pattern: RegExp, text = page): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => found!);
}

describe("the API reference", () => {
  it("shows every operation that is built, under an anchor of its own, and no other", () => {
    const built = Object.values(apiDocument().paths).flatMap((methods) =>
      Object.values(methods).filter((one) => one["x-fettle-built"]),
    );
    expect(built.length).toBeGreaterThan(150);
    expect(all(/<article id="(\w+)" class="operation/g).toSorted()).toEqual(
      built.map(({ operationId }) => operationId).toSorted(),
    );
    expect(page).not.toContain("SwarmRun");
  });

  it("has no link that leads nowhere, and no anchor twice", () => {
    const anchors = all(/ id="([^"]+)"/g);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(all(/href="#([^"]+)"/g).filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });

  it("needs nothing a strict content policy forbids, and nothing from elsewhere", () => {
    expect(page).not.toMatch(/<script(?! src)|<style|<iframe| style=| on\w+=|javascript:/i);
    expect(all(/(?:src|href)="([^"#][^"]*)"/g)).toEqual([
      addresses.script,
      addresses.stylesheet,
      "/",
      addresses.openApi,
    ]);
    expect(apiReferenceStyles).not.toMatch(/@import|url\(/);
  });

  it("says who may call, and what is spent and narrowed", () => {
    const section = (id: string) => page.slice(page.indexOf(`<article id="${id}"`)).split("</article>")[0]!;
    expect(section("getMe")).toContain("<dd>Signed in");
    expect(section("getMe")).toContain("fettle cloud whoami");
    expect(section("createEvalRun")).toContain("Spends budget");
    expect(section("rotateScenarioLink")).toContain("Narrows access");
    expect(section("listHosts")).toContain("Deprecated");
  });

  it("names every query parameter", () => {
    const described = Object.values(apiDocument().paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, parameters = [], ...one }) =>
        one["x-fettle-built"]
          ? parameters.flatMap((parameter) =>
              "in" in parameter && parameter.in === "query" ? [{ operationId, ...parameter }] : [],
            )
          : [],
      ),
    );
    expect(described.length).toBeGreaterThan(100);
    const missing = described.filter(({ operationId, name }) => {
      const section = page.slice(page.indexOf(`<article id="${operationId}"`)).split("</article>")[0]!;
      return !section.split("<h4>Query</h4>")[1]?.includes(`<code class="name">${name}</code>`);
    });
    expect(missing.map(({ operationId, name }) => `${operationId} ${name}`)).toEqual([]);
  });

  it("gives a call to copy with what was sent, and makes before it what it is made on", () => {
    const section = page.slice(page.indexOf('<article id="updatePersona"'));
    expect(section.split("</article>")[0]).toContain(
      [
        "NEW_PERSONA_ID=$(first id -X POST &quot;$FETTLE_API_URL/projects/$PROJECT_ID/personas&quot; -d &#39;{&quot;name&quot;:&quot;Throwaway &#39;&quot;$RANDOM&quot;&#39;&quot;,&quot;role&quot;:&quot;Looks for a present&quot;}&#39;)",
        "curl -X PATCH &quot;$FETTLE_API_URL/projects/$PROJECT_ID/personas/$NEW_PERSONA_ID&quot; \\",
        "  -H &quot;Authorization: Bearer $FETTLE_API_KEY&quot; \\",
        "  -H &quot;Content-Type: application/json&quot; \\",
        "  -d &#39;{&quot;notes&quot;:&quot;Is in a hurry.&quot;}&#39;",
      ].join("\n"),
    );
  });

  it("shows hostile text as text, wherever it comes from", () => {
    const hostile = `</p><script>alert("1")</script><img src=x onerror='1'>`;
    const document = openApiDocument({
      operations: [
        operation({
          id: "hostile",
          tag: "Catalog",
          method: "POST",
          path: "/x",
          access: access.any,
          elevated: hostile,
          summary: hostile,
          cli: hostile,
          built: true,
          query: z.object({ [hostile]: z.string().describe(hostile) }),
          body: z.object({ [hostile]: z.enum([hostile]).describe(`\`${hostile}\``) }),
          output: z.object({ [hostile]: z.string().default(hostile) }),
        }),
      ],
      resources: [],
    });
    const shown = apiReferencePage({ ...document, info: { ...document.info, title: hostile } }, addresses);
    expect(shown).not.toMatch(/<script(?! src)|<img/);
    expect(all(/(&lt;script&gt;)/g, shown).length).toBeGreaterThan(9);
  });
});

it("treats only its own markup as markup", () => {
  expect(html`<a title="${`"'<>&`}">${html`<b>${"<b>"}</b>`}${[1, undefined, false, "&"]}</a>`.markup).toBe(
    '<a title="&quot;&#39;&lt;&gt;&amp;"><b>&lt;b&gt;</b>1&amp;</a>',
  );
});
