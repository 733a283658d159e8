/** Whoever names something that is not there is told where to look, whatever it is. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OperationDeclaration } from "@fettle/contract/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { preparedOperation } from "../../testing/fuzz/prepared-operation.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { allOperations } from "./all-operations.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const namesIn = ({ path }: OperationDeclaration) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Of a fixed set of words, or made of what a stranger says: nothing that could be listed. */
const noIds = new Set(["providerId", "provider", "suiteKind", "kind", "hostId", "segment"]);

/** What they answer instead, by design. */
const otherwise: Record<string, string> = {
  saveRegistryCard: "makes the card of this name",
  answerServer: "says that nobody waits for the answer",
  cancelServerAsk: "says that nobody waits for the answer",
};

const idsOf = (operation: OperationDeclaration) => namesIn(operation).filter((name) => !noIds.has(name));
const named = allOperations.filter(
  (operation) =>
    operation.built &&
    !operation.deprecated &&
    !(operation.id in otherwise) &&
    // Whoever has no cookie of the visit is told to open the link.
    !operation.path.startsWith("/visits/") &&
    idsOf(operation).length > 0,
);

describe("an id of nothing is answered with 404 and a hint", () => {
  it.each(named.map((operation) => [operation.id, operation] as const))("%s", async (_, operation) => {
    const { ask } = await preparedOperation(service, operation);
    for (const name of idsOf(operation)) {
      const response = await ask({ [name]: "none_01aaaaaaaaaaaaaaaaaaaaaaaa" });
      const text = await response.text();
      // Some look into what is sent first.
      if (operation.method !== "GET" && response.status === 400) continue;
      expect([name, response.status, text]).toEqual([name, 404, expect.any(String)]);
      const { code, details } = JSON.parse(text);
      expect([code, details?.hint], text).toEqual(["NOT_FOUND", expect.stringMatching(/^\S.*[.]$/)]);
    }
  });
});

const source = join(import.meta.dirname, "..", "..");
const texts = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("testing"))
  .map((name) => ({ name: name.replaceAll("\\", "/"), text: readFileSync(join(source, name), "utf8") }));

describe("a rule function says 404", () => {
  it("in one way only, which takes a hint", () => {
    const own = texts.filter(({ text }) => /new ApiError\(\s*"NOT_FOUND"/.test(text)).map(({ name }) => name);
    expect(own.toSorted()).toEqual(["core/routing/not-found.ts", "http/answer.ts"]);
  });

  it("and so do those that refuse in words of their own", () => {
    const without = texts.flatMap(({ name, text }) =>
      [...text.matchAll(/refused\(\s*"NOT_FOUND"[^;]*;/g)].flatMap(([call]) =>
        /hint|otherRuns/.test(call) ? [] : [`${name}: ${call}`],
      ),
    );
    expect(without).toEqual([]);
    const codes = texts.flatMap(({ text }) =>
      [...text.matchAll(/turnedAway\(\s*"NOT_FOUND",\s*"(\w+)"/g)].map(([, code]) => code!),
    );
    const refuse = texts.find(({ name }) => name === "visitors/user-testing/refuse.ts")!.text;
    expect(codes.filter((code) => !refuse.includes(`  ${code}: "`))).toEqual([]);
  });
});
