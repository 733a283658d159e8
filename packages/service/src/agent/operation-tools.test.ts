import { effectOf, limits, type OperationDeclaration } from "@fettle/contract/core";
import { operations } from "@fettle/contract/operations";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { madeBy } from "./made-resources.ts";
import { operationTools, readArguments } from "./operation-tools.ts";

const all: OperationDeclaration[] = Object.values(operations);
const tools = operationTools();

describe("the agent's tools", () => {
  it("are operations of one project, named by their ids", () => {
    for (const { operation } of tools.values()) {
      expect(operation).toMatchObject({ built: true, access: { kind: "project", from: "path" } });
      expect(operation.path).toMatch(/^\/projects\/\{projectId\}/);
    }
  });

  it("never remove, and hold nothing that is for people alone", () => {
    const offered = [...tools.values()].map(({ effect }) => effect);
    expect(new Set(offered)).toEqual(new Set(["read", "ask", "write", "spend", "outside", "cancel"]));
    for (const { operation } of tools.values()) expect(operation.method).not.toBe("DELETE");
  });

  it("propose whatever spends", () => {
    const spending = all.filter(({ id, spends }) => spends && tools.has(id));
    expect(spending.length).toBeGreaterThan(10);
    for (const { id } of spending) expect(tools.get(id)).toMatchObject({ isProposed: true });
  });

  it("take no project, no secret, and of what is asked of a server only which one", () => {
    for (const { tool, effect } of tools.values()) {
      const written = JSON.stringify(tool.inputSchema);
      expect(written).not.toMatch(/modelApiKeys|"headers"/);
      const names = Object.keys(tool.inputSchema.properties as object);
      expect(names).not.toContain("projectId");
      if (effect === "ask") expect(names).toEqual(["serverId"]);
    }
  });

  it("fit what providers take: no more than 128, under names they allow, and not much to read", () => {
    expect(tools.size).toBeLessThanOrEqual(128);
    for (const name of tools.keys()) expect(name).toMatch(/^\w{1,64}$/);
    for (const { tool } of tools.values()) {
      expect(JSON.stringify(tool.inputSchema).length).toBeLessThan(2 * limits.agent.schemaLength);
    }
  });

  it("tell what they made, with its page", () => {
    const making = [...tools.values()].filter(
      ({ operation: { status } }) => status === 201 || status === 202,
    );
    expect(making.map(({ operation: { id } }) => id).filter((id) => !(id in madeBy))).toEqual([]);
    for (const [id, made] of Object.entries(madeBy)) {
      const operation = tools.get(id)?.operation;
      const fields = operation?.output instanceof z.ZodObject ? Object.keys(operation.output.shape) : [];
      const names = [
        ...fields,
        ...[...(operation?.path ?? "").matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      ];
      expect(names, id).toContain(made.id.split(".")[0]);
    }
  });
});

describe("every operation", () => {
  it("says what it does to the world", () => {
    expect(all.filter((operation) => effectOf(operation) === undefined).map(({ id }) => id)).toEqual([]);
  });

  it("that spends, narrows or deletes is not called a harmless one", () => {
    const harmless = new Set(["read", "ask", "write"]);
    const wrong = all.filter(
      (operation) =>
        harmless.has(effectOf(operation)!) &&
        (operation.spends || operation.narrows || operation.method === "DELETE"),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });
});

describe("arguments", () => {
  const createEvalCase = tools.get("createEvalCase")!;
  it.each<[what: string, given: Record<string, unknown>, path: string]>([
    ["a project", { projectId: "proj_1", suiteId: "ste_1" }, "projectId"],
    ["what nobody declared", { suiteId: "ste_1", sudo: true }, "sudo"],
    ["no id", {}, "suiteId"],
    ["an id that is no text", { suiteId: ["ste_1"] }, "suiteId"],
    ["a body that is no object", { suiteId: "ste_1", body: "x" }, "body"],
    ["a secret", { suiteId: "ste_1", body: { apiKey: "x" } }, "body.apiKey"],
  ])("refuse %s", (_, given, path) => {
    expect(() => readArguments(createEvalCase, given)).toThrow(
      expect.objectContaining({ details: { path } }),
    );
  });
});
