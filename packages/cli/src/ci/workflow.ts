/** @module The workflow that `init ci` writes: surface, protocol and suite, each a step that fails by its exit code and leaves a JUnit report. */
import { stringify } from "yaml";
import { shellWords } from "../output/shell-words.ts";

export interface Step {
  name?: string;
  uses?: string;
  with?: Record<string, string | number>;
  if?: string;
  run?: string;
}

export interface CiPlan {
  /** The connection flags that name the server. */
  target: readonly string[];
  hasToken: boolean;
  lock: string;
  suite?: string;
  /** How a step calls Fettle. Nothing that could download it: the install step has put it there. */
  fettle: string;
  installFettle: string;
  /** What the server itself needs before it can start. */
  installServer: readonly Step[];
}

const reports = "fettle-reports";

/** `$FETTLE` is how the command is called, so that a repository can bring its own. */
export function ciWorkflow(plan: CiPlan): string {
  const { target, hasToken, lock, suite } = plan;
  const server = `${shellWords(target)}${hasToken ? ' --access-token "$MCP_ACCESS_TOKEN"' : ""}`;
  const check = (name: string, command: string): Step => ({
    name,
    // Every step runs, so that one failure does not hide the next.
    if: "always()",
    run: `mkdir -p ${reports}\n$FETTLE ${command}\n`,
  });
  const installsBoth = plan.installServer.some(({ run }) => run === plan.installFettle);
  const document = {
    name: "MCP server",
    on: { push: { branches: ["main"] }, pull_request: {} },
    permissions: { contents: "read" },
    jobs: {
      fettle: {
        "runs-on": "ubuntu-latest",
        "timeout-minutes": 20,
        env: {
          FETTLE: plan.fettle,
          // GitHub fills this in; it is never in the repository.
          ...(hasToken && { MCP_ACCESS_TOKEN: "$" + "{{ secrets.MCP_ACCESS_TOKEN }}" }),
        },
        steps: [
          { uses: "actions/checkout@v4" },
          { uses: "actions/setup-node@v4", with: { "node-version": 24 } },
          ...plan.installServer,
          ...(installsBoth ? [] : [{ name: "Install Fettle", run: plan.installFettle }]),
          check(
            "Surface: no breaking changes",
            `server surface check ${server} --lock ${shellWords([lock])} --reporter junit-xml > ${reports}/surface.xml`,
          ),
          check(
            "Protocol conformance",
            `protocol conformance ${server} --reporter junit-xml > ${reports}/protocol.xml`,
          ),
          ...(suite === undefined
            ? []
            : [
                check(
                  "Evals",
                  `eval run --file ${shellWords([suite])} ${server} --reporter junit-xml --out ${reports}/evals.xml`,
                ),
              ]),
          {
            name: "Keep the reports",
            if: "always()",
            uses: "actions/upload-artifact@v4",
            with: { name: reports, path: reports, "if-no-files-found": "ignore" },
          },
        ] satisfies Step[],
      },
    },
  };
  const above = [
    "# Written by `fettle init ci`. Each check fails by its exit code: 1 means the server failed, 3 means nothing could be shown.",
    "# Failures appear as annotations on the commit; the JUnit reports are kept with the run.",
    "",
  ].join("\n");
  return above + stringify(document, { lineWidth: 0 });
}
