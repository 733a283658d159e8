/**
 * @module The files that decide about access, secrets, money, verdicts and statistics: a fault in one of these should be noticed nearly
 * always, so their tests are held to a higher rate.
 */

/** Named by what they decide; a folder ends with a slash. */
const decidingPaths: Record<string, readonly string[]> = {
  access: [
    "packages/service/src/http/caller/access.ts",
    "packages/service/src/http/caller/identify.ts",
    "packages/service/src/http/same-origin.ts",
    "packages/service/src/people/accounts/keys/",
    "packages/service/src/people/accounts/sign-in/",
    "packages/service/src/people/projects/standing.ts",
    "packages/mcp/src/guard/",
  ],
  secrets: [
    "packages/contract/src/secrets/redact.ts",
    "packages/contract/src/secrets/secret.ts",
    "packages/contract/src/secrets/secret-shapes.ts",
    "packages/contract/src/secrets/url-secrets.ts",
    "packages/contract/src/secrets/marked-arguments.ts",
    "packages/mcp/src/recording/known-secrets.ts",
    "packages/mcp/src/oauth/credentials.ts",
    "packages/mcp/src/oauth/tokens.ts",
    "packages/service/src/core/vault/",
  ],
  money: [
    "packages/evals/src/models/spend.ts",
    "packages/service/src/models/budget.ts",
    "packages/service/src/models/intents.ts",
    "packages/service/src/models/ledger.ts",
    "packages/service/src/models/settlements.ts",
    "packages/service/src/models/spend.ts",
  ],
  verdicts: ["packages/checks/src/verdict/", "packages/evals/src/grading/", "packages/evals/src/gate/"],
  statistics: [
    "packages/evals/src/calibration/measures.ts",
    "packages/evals/src/grading/statistics.ts",
    "packages/insights/src/signals/",
  ],
};

const paths = Object.values(decidingPaths).flat();

export function isDeciding(file: string): boolean {
  return paths.some((path) => (path.endsWith("/") ? file.startsWith(path) : file === path));
}

/** For the test that none of them has moved away. */
export const deciding: readonly string[] = paths;
