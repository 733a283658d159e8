/** Plants secrets in a saved server's address, headers, token and arguments, speaks to a server that repeats them all, and searches everything that is answered, stored and logged. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../../core/log/log.ts";
import { connectingPerson } from "../../testing/connecting.ts";
import { spellings, startRepeatingServer } from "../../testing/repeating-server.ts";
import { type TestService, testService } from "../../testing/service.ts";

/** With characters that every spelling writes differently. */
const canaries = {
  header: 'canary"header/1é?',
  bearer: "canary-bearer/2+x=",
  query: "canary query&3/é",
  argument: 'canary"argument/4',
  clientSecret: "canary-client/5",
};

let service: TestService;
let logged = "";
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const log = createLog({ level: "debug", format: "json", write: (line) => (logged += line) });
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" }, log });
  stack.defer(() => service.close());
  await service.app.work();
});
afterAll(() => stack.disposeAsync());

test.each(["here", "apart"])(
  "no canary is in an answer, a row or a log line, in any of its spellings, but in a tool's own result, asked %s",
  async (where) => {
    const owner = await connectingPerson(service);
    if (where === "apart") service.app.serverThreads.move(owner.projectId);
    const server = await startRepeatingServer();
    stack.defer(() => server.close());
    const project = `/api/v1/projects/${owner.projectId}`;
    const call = (method: string, path: string, body?: object) =>
      service.call(path, { method, key: owner.key, ...(body && { body }) });
    const url = `${server.origin}/mcp?token=${encodeURIComponent(canaries.query)}`;
    const made = await call("POST", `${project}/servers`, {
      name: "Repeating",
      transportType: "http",
      url,
      headers: {
        "X-Api-Key": encodeURIComponent(canaries.header),
        Authorization: `Bearer ${canaries.bearer}`,
      },
      clientSecret: canaries.clientSecret,
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const path = `${project}/servers/${made.body.id}`;

    const told: Record<string, unknown> = { made: made.body };
    const args = { city: "Graz", login: { password: canaries.argument } };
    const asked: Record<string, [string, string, object?]> = {
      read: ["GET", path],
      list: ["GET", `${project}/servers`],
      validate: ["POST", `${path}/validate?rpc=true`, {}],
      doctor: ["POST", `${path}/doctor?rpc=true`, {}],
      "check-oauth": ["POST", `${path}/check-oauth`, {}],
      tools: ["POST", `${path}/tools?rpc=true`, {}],
      resources: ["POST", `${path}/resources?rpc=true`, {}],
      templates: ["POST", `${path}/resources/templates?rpc=true`, {}],
      prompts: ["POST", `${path}/prompts?rpc=true`, {}],
      resource: ["POST", `${path}/resources/read?rpc=true`, { uri: "said://it" }],
      prompt: ["POST", `${path}/prompts/get?rpc=true`, { promptName: "said" }],
      export: ["POST", `${path}/export`, {}],
      "failed call": ["POST", `${path}/tools/call?rpc=true`, { toolName: "no_such_tool", parameters: args }],
      change: ["PATCH", path, { enabled: true }],
      "refused change": ["PATCH", path, { url: `${url}&more=***` }],
      "refused tokens": [
        "POST",
        `${path}/oauth/import-tokens`,
        { serverUrl: `${url}&x=1`, tokens: { access_token: canaries.bearer } },
      ],
    };
    for (const [what, [method, at, body]] of Object.entries(asked)) {
      const answer = await call(method, at, body);
      told[what] = answer.body;
    }
    expect(JSON.stringify(told["failed call"])).toContain("[REDACTED]");
    expect(JSON.stringify(told.tools)).toContain("[REDACTED]");
    expect(told.doctor).toMatchObject({ probe: { url: `${server.origin}/mcp?token=***` } });

    const called = await call("POST", `${path}/tools/call?rpc=true`, {
      toolName: "repeat",
      parameters: args,
    });
    const { content, ...besides } = called.body;
    expect(content[0].text, "a tool's own result stays as it came").toContain(canaries.bearer);
    told.called = besides;
    const sent = besides._rpcLogs.find(
      ({ message }: { message: { method?: string } }) => message.method === "tools/call",
    );
    expect(sent.message.params.arguments).toEqual({ city: "Graz", login: { password: "[REDACTED]" } });

    const asks = `/app/projects/${owner.projectId}/servers/${made.body.id}/asks`;
    const declares = { sampling: true, elicitation: true, roots: [] };
    const shown: [string, object][] = [
      ["listTools", {}],
      ["callTool", { toolName: "no_such_tool", parameters: args }],
      ["callTool", { toolName: "repeat", parameters: args }],
    ];
    for (const [name, input] of shown) {
      const body = { askId: randomUUID(), asked: { name, input }, declares };
      const heard = await owner.browser.call(asks, { method: "POST", body });
      // But for the result of the tool, which stays as it came.
      const besides = String(heard.body).replace(/event: done\n.*/, "");
      told[`asked ${name} ${JSON.stringify(input)}`] = [...besides.matchAll(/data: (.+)/g)].map(([, data]) =>
        JSON.parse(data!),
      );
      expect(besides).toContain("[REDACTED]");
    }

    const compat = await owner.browser.call(
      `/app/projects/${owner.projectId}/servers/${made.body.id}/compat`,
      {
        method: "POST",
      },
    );
    told.compat = compat.body;
    const asking = await owner.ask({ url, projectId: owner.projectId, serverId: made.body.id });
    told.connection = await owner.until(asking.body.connectionRequestId, "ready");
    const run = await call("POST", `${path}/conformance-runs`, { suites: ["protocol"] });
    expect(run.status, JSON.stringify(run.body)).toBeLessThan(300);
    const runPath = `${project}/conformance-runs/${run.body.runId}`;
    await expect
      .poll(async () => (await call("GET", runPath)).body.status, { timeout: 120_000, interval: 500 })
      .toMatch(/completed|failed/);
    told.run = (await call("GET", runPath)).body;
    told.report = (await call("GET", `${runPath}/report`)).body;

    const { rows: tables } = await service.app.pool.query(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    for (const { name } of tables) {
      told[`rows of ${name}`] = (await service.app.pool.query(`SELECT * FROM "${name}"`)).rows;
    }
    told.log = logged;

    for (const [where, what] of Object.entries(told)) {
      // Read as text, so that no escape of our own JSON stands between the search and what it looks for.
      const texts = textsIn(what).join("\n");
      for (const [name, secret] of Object.entries(canaries)) {
        for (const [how, spell] of Object.entries(spellings)) {
          expect(texts.includes(spell(secret)), `${name}, ${how}, in ${where}`).toBe(false);
        }
      }
    }
  },
);

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}
