import { expect, test } from "vitest";
import { splitWords } from "../../output/split-words.ts";
import { testWorld } from "../../testing/world.ts";

const title = { type: "string", examples: ["Emma"] };
const free = { name: "free", inputSchema: { type: "object" } };
const needs = { name: "needs", inputSchema: { type: "object", properties: { title }, required: ["title"] } };
const impossible = { name: "impossible", inputSchema: { type: "object", required: ["x"], not: {} } };

test.each([
  ["filled from the schema", [needs, free], "needs", { title: "Emma" }],
  ["empty where nothing is required", [free, needs], "free", {}],
  ["those of another tool where none can be made", [impossible, free], "free", {}],
])("the arguments of the proposed call are %s", async (_, tools, name, made) => {
  const words = splitWords((await proposal(tools))!);
  expect(words.slice(0, 3)).toEqual(["fettle", "tools", "call"]);
  expect(words.slice(words.indexOf("--tool-name"))).toEqual([
    "--tool-name",
    name,
    "--tool-args",
    JSON.stringify(made),
  ]);
});

test("no call is proposed that the server would refuse", async () => {
  expect(await proposal([impossible])).toBeUndefined();
});

async function proposal(tools: readonly unknown[]): Promise<string | undefined> {
  const server = `require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const result = method === "initialize"
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }
      : method === "tools/list" ? { tools: ${JSON.stringify(tools)} } : undefined;
    const error = { code: -32601, message: "Unknown" };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
  })`;
  const { fettle } = await testWorld();
  const { stderr } = await fettle("tools", "list", "--format", "human", "--", process.execPath, "-e", server);
  return stderr.match(/Next: ([\s\S]*)/)?.[1]?.trim();
}
