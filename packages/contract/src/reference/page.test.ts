import { describe, expect, it } from "vitest";
import { z } from "zod";
import { apiDocument } from "../document/api-document.ts";
import { openApiDocument } from "../document/openapi.ts";
import { access, operation } from "../operation.ts";
import { html } from "./html.ts";
import { apiReferencePage } from "./page.ts";
import { apiReferenceStyles } from "./styles.ts";

const addresses = { stylesheet: "/docs/api.css", openApi: "/api/v1/openapi.json" };
const page = apiReferencePage(apiDocument(), addresses);

function all(pattern: RegExp, text = page): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => found!);
}

describe("the API reference", () => {
  it("shows every operation, under an anchor of its own", () => {
    const ids = Object.values(apiDocument().paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(all(/<article id="(\w+)" class="operation/g)).toEqual(expect.arrayContaining(ids));
    expect(all(/<article id="(\w+)" class="operation/g)).toHaveLength(233);
  });

  it("has no link that leads nowhere, and no anchor twice", () => {
    const anchors = all(/ id="([^"]+)"/g);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(all(/href="#([^"]+)"/g).filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });

  it("needs nothing a strict content policy forbids, and nothing from elsewhere", () => {
    expect(page).not.toMatch(/<script|<style|<iframe| style=| on\w+=|javascript:/i);
    expect(all(/(?:src|href)="([^"#][^"]*)"/g)).toEqual([addresses.stylesheet, addresses.openApi]);
    expect(apiReferenceStyles).not.toMatch(/@import|url\(/);
  });

  it("says who may call, what is spent and narrowed, and what is not built", () => {
    const section = (id: string) => page.slice(page.indexOf(`<article id="${id}"`)).split("</article>")[0]!;
    expect(section("getMe")).toContain("<dd>Signed in");
    expect(section("getMe")).toContain("fettle cloud whoami");
    expect(section("getMe")).not.toContain("Not built yet");
    expect(section("createEvalRun")).toContain("Spends budget");
    expect(section("createSwarm")).toContain("Not built yet");
    expect(section("rotateScenarioLink")).toContain("Narrows access");
    expect(section("listHosts")).toContain("Deprecated");
  });

  it("gives a call to copy, with ids as shell variables and the smallest body", () => {
    const section = page.slice(page.indexOf('<article id="updateProject"'));
    expect(section).toContain(
      [
        "curl -X PATCH &quot;$FETTLE_API_URL/projects/$PROJECT_ID&quot; \\",
        "  -H &quot;Authorization: Bearer $FETTLE_API_KEY&quot; \\",
        "  -H &quot;Content-Type: application/json&quot; \\",
        "  -d &#39;{&quot;name&quot;:&quot;…&quot;}&#39;",
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
    expect(shown).not.toMatch(/<script|<img/);
    expect(all(/(&lt;script&gt;)/g, shown).length).toBeGreaterThan(9);
  });
});

it("treats only its own markup as markup", () => {
  expect(html`<a title="${`"'<>&`}">${html`<b>${"<b>"}</b>`}${[1, undefined, false, "&"]}</a>`.markup).toBe(
    '<a title="&quot;&#39;&lt;&gt;&amp;"><b>&lt;b&gt;</b>1&amp;</a>',
  );
});
