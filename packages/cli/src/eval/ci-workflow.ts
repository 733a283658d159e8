/** @module The workflow that `init ci` writes: surface, protocol and suite, each a step that fails by its exit code. */
import { stringify } from "yaml";
import { shellWords } from "../output/shell-words.ts";

export interface CiPlan {
  /** The connection flags that name the server. */
  target: readonly string[];
  hasToken: boolean;
  lock: string;
  suite?: string;
}

/** `$FETTLE` is how the command is called, so that a repository can bring its own. */
export function ciWorkflow({ target, hasToken, lock, suite }: CiPlan): string {
  const server = `${shellWords(target)}${hasToken ? ' --access-token "$MCP_ACCESS_TOKEN"' : ""}`;
  const document = {
    name: "MCP server",
    on: { push: { branches: ["main"] }, pull_request: {} },
    permissions: { contents: "read" },
    jobs: {
      fettle: {
        "runs-on": "ubuntu-latest",
        "timeout-minutes": 20,
        env: {
          FETTLE: "npx fettle",
          // GitHub fills this in; it is never in the repository.
          ...(hasToken && { MCP_ACCESS_TOKEN: "$" + "{{ secrets.MCP_ACCESS_TOKEN }}" }),
        },
        steps: [
          { uses: "actions/checkout@v4" },
          { uses: "actions/setup-node@v4", with: { "node-version": 24 } },
          { name: "Install", run: "npm ci" },
          {
            name: "Nothing breaks those who use the server",
            run: `$FETTLE server surface check ${server} --lock ${shellWords([lock])}`,
          },
          {
            name: "The server keeps to the protocol",
            if: "always()",
            run: `$FETTLE protocol conformance ${server}`,
          },
          ...(suite === undefined
            ? []
            : [
                {
                  name: "An agent gets its work done",
                  if: "always()",
                  run: `$FETTLE eval run --file ${shellWords([suite])} ${server} --reporter github`,
                },
              ]),
        ],
      },
    },
  };
  const above = [
    "# Written by `fettle init ci`. Every step fails by its exit code: 1 is a verdict about the server, 3 says that nothing was shown.",
    "# FETTLE is how the command is called here; install it as your repository installs its tools.",
    "",
  ].join("\n");
  return above + stringify(document, { lineWidth: 0 });
}
