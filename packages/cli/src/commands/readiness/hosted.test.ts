/** @module `fettle readiness start` and what follows it, against the real service: at the root, with the credential flags on the command. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type CloudService, startCloudService } from "../../testing/cloud-service.ts";
import { testWorld } from "../../testing/world.ts";

let cloud: CloudService;
let server: string;
beforeAll(async () => {
  cloud = await startCloudService();
  server = cloud.service.serverId!;
});
afterAll(() => cloud?.stop());

/** The key and the address stand on the leaf. */
async function readiness(...argv: string[]) {
  const { FETTLE_API_KEY: key, FETTLE_API_URL: url, ...env } = cloud.env;
  const { fettle } = await testWorld({ env });
  const said = await fettle("readiness", ...argv, "--api-key", key!, "--api-url", url!, "--quiet");
  const last = (said.stdout || said.stderr).trim().split("\n").at(-1) ?? "";
  const parsed = last.startsWith("{") ? JSON.parse(last) : undefined;
  return { ...said, body: said.stdout ? parsed : parsed?.error };
}

const ended = (id: string) =>
  vi.waitFor(async () => {
    const { body } = await readiness("status", "--run", id);
    expect(body.run.status).not.toMatch(/pending|running/);
    return body.run;
  }, 60_000);

test.each([
  ["claude", "claude", []],
  ["directory-b", "openai", ["--submission-mode", "mcp-only"]],
] as const)(
  "start %s returns at once; status has three axes, and the report what a check on the desk finds",
  async (publisher, readinessKind, more) => {
    const begun = await readiness("start", publisher, "--server", server, ...more);
    expect([begun.exitCode, begun.body]).toMatchObject([
      0,
      {
        project: { id: cloud.projectId },
        server: { id: server },
        run: { readinessKind, status: "pending", deduped: false, includeLlmObservations: false },
      },
    ]);
    const { runId } = begun.body.run;
    const run = await ended(runId);
    expect(run).toMatchObject({
      status: "completed",
      overallStatus: "not-ready",
      llmObservations: { status: "not-requested" },
    });
    const { body: report } = await readiness("report", "--run", runId, "--limit", "500");
    const { fettle } = await testWorld();
    const desk = await fettle("readiness", "check", publisher, run.serverUrl, ...more);
    const verdicts = (findings: { id: string; status: string }[]) =>
      findings.map(({ id, status }) => `${id} ${status}`);
    expect(verdicts(report.findings)).toEqual(verdicts(JSON.parse(desk.stdout).findings));
    const cut = await readiness("report", "--run", runId, "--limit", "2");
    expect(cut.body).toMatchObject({
      returnedFindings: 2,
      truncated: true,
      totalFindings: report.totalFindings,
    });
    const human = await readiness("report", "--run", runId, "--limit", "2", "--format", "human");
    expect(human.stdout).toContain(`2 of ${report.totalFindings} findings read`);
    expect((await readiness("status", "--run", runId, "--exit-code")).exitCode).toBe(1);
    const late = await readiness("cancel", "--run", runId);
    expect([late.exitCode, late.body.code]).toEqual([1, "CONFLICT"]);
    const { body: listed } = await readiness("list", "--kind", publisher, "--server", server);
    expect(listed.runs[0].id).toBe(runId);
  },
);

test.each([
  ["start openai --server $SERVER", 2, /--submission-mode is required/],
  ["start openai --server $SERVER --submission-mode skills-only", 2, /takes a package/],
  ["start claude --server $SERVER --ai-observations", 1, /No model is configured/],
  ["start claude --server none", 1, /none/],
  ["list --limit 101", 2, /--limit/],
  ["report --run none", 1, /not found|NOT_FOUND/i],
])("%s is refused with %i", async (line, exitCode, words) => {
  const said = await readiness(...line.replace("$SERVER", server).split(" "));
  expect([said.exitCode, said.stdout]).toEqual([exitCode, ""]);
  expect(said.stderr).toMatch(words);
});
