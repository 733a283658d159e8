import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type CiPlan, ciWorkflow, type Step } from "./workflow.ts";

const plan: CiPlan = {
  target: ["--command", "node", "--args=my server.js"],
  hasToken: false,
  lock: "fettle-surface.json",
  suite: ".fettle/evals/shop.yaml",
  fettle: "npx --no-install fettle",
  installFettle: "npm ci",
  installServer: [],
};

function read(over: Partial<CiPlan> = {}) {
  const { suite, ...others } = { ...plan, ...over };
  const text = ciWorkflow({ ...others, ...(suite !== undefined && { suite }) });
  const document = parse(text);
  const { env, steps }: { env: Record<string, string>; steps: Step[] } = document.jobs.fettle;
  return { text, document, env, steps, checks: steps.filter(({ run }) => run?.includes("$FETTLE")) };
}

describe("the workflow", () => {
  test("runs on main and on pull requests, may only read, and ends", () => {
    const { document, text } = read();
    expect(document).toMatchObject({
      on: { push: { branches: ["main"] }, pull_request: {} },
      permissions: { contents: "read" },
      jobs: { fettle: { "runs-on": "ubuntu-latest", "timeout-minutes": 20 } },
    });
    expect(text.startsWith("# Written by `fettle init ci`.")).toBe(true);
  });

  test("checks out and sets up Node before anything is installed", () => {
    const { steps } = read({ installServer: [{ name: "Install the server", run: "uv sync" }] });
    expect(steps.slice(0, 4)).toEqual([
      { uses: "actions/checkout@v4" },
      { uses: "actions/setup-node@v4", with: { "node-version": 24 } },
      { name: "Install the server", run: "uv sync" },
      { name: "Install Fettle", run: "npm ci" },
    ]);
  });

  test("installs once where one command installs both", () => {
    const { steps } = read({ installServer: [{ name: "Install the server", run: "npm ci" }] });
    expect(steps.filter(({ run }) => run === "npm ci")).toEqual([
      { name: "Install the server", run: "npm ci" },
    ]);
  });

  test("runs every check whatever the one before said, each with a report", () => {
    const { checks, steps } = read();
    const server = "--command node '--args=my server.js'";
    expect(checks.map(({ name, if: when, run }) => [name, when, run])).toEqual([
      [
        "Surface: no breaking changes",
        "always()",
        `mkdir -p fettle-reports\n$FETTLE server surface check ${server} --lock fettle-surface.json --reporter junit-xml > fettle-reports/surface.xml\n`,
      ],
      [
        "Protocol conformance",
        "always()",
        `mkdir -p fettle-reports\n$FETTLE protocol conformance ${server} --reporter junit-xml > fettle-reports/protocol.xml\n`,
      ],
      [
        "Evals",
        "always()",
        `mkdir -p fettle-reports\n$FETTLE eval run --file .fettle/evals/shop.yaml ${server} --reporter junit-xml --out fettle-reports/evals.xml\n`,
      ],
    ]);
    expect(steps.at(-1)).toEqual({
      name: "Keep the reports",
      if: "always()",
      uses: "actions/upload-artifact@v4",
      with: { name: "fettle-reports", path: "fettle-reports", "if-no-files-found": "ignore" },
    });
  });

  test("has no evals for a server without tools", () => {
    const { checks } = read({ suite: undefined });
    expect(checks.map(({ name }) => name)).toEqual(["Surface: no breaking changes", "Protocol conformance"]);
  });

  test("calls Fettle as the plan says, and a token comes from the repository's secrets alone", () => {
    expect(read().env).toEqual({ FETTLE: "npx --no-install fettle" });
    const { env, checks } = read({ hasToken: true, fettle: "./fettle" });
    expect(env).toEqual({ FETTLE: "./fettle", MCP_ACCESS_TOKEN: "$" + "{{ secrets.MCP_ACCESS_TOKEN }}" });
    for (const { run } of checks) expect(run).toContain(`--access-token "$MCP_ACCESS_TOKEN"`);
    for (const { run } of read().checks) expect(run).not.toContain("--access-token");
  });
});
