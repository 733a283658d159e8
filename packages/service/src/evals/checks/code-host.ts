/** @module The code host's side of checks, as an app of it sees it (GitHub's REST API, which others speak too): who it may act for, and check runs. */
import { createPrivateKey, sign } from "node:crypto";
import { ApiError } from "@fettle/contract/core";
import { createHttpClient, localPolicy } from "@fettle/mcp";
import { z } from "zod";
import type { CodeHostConfig } from "../../core/config/config.ts";

/** What a check says; the code host shows it beside the commit. */
export interface CheckState {
  status: "in_progress" | "completed";
  conclusion?: "success" | "failure" | "neutral";
  title: string;
  summary: string;
  detailsUrl: string;
}

export interface CodeHost extends Disposable {
  /** As the host spells it; undefined when it does not exist or the app may not act for it. */
  findRepo(repo: string): Promise<string | undefined>;
  listRepos(): Promise<string[]>;
  createCheck(repo: string, headSha: string, state: CheckState): Promise<string>;
  updateCheck(repo: string, id: string, state: CheckState): Promise<void>;
}

const Installation = z.looseObject({ id: z.number() });
const Token = z.looseObject({ token: z.string() });
const Repos = z.looseObject({ repositories: z.array(z.looseObject({ full_name: z.string() })) });
const Created = z.looseObject({ id: z.union([z.number(), z.string()]) });
const perPage = 100;
const name = "Fettle evals";

/**
 * @example
 * using host = openCodeHost(app.config.codeHost);
 * await host.createCheck("acme/shop", sha, state);
 */
export function openCodeHost(config: CodeHostConfig): CodeHost {
  // The operator said where it is.
  const client = createHttpClient({ policy: localPolicy });

  async function ask(method: string, path: string, bearer: string, body?: object): Promise<unknown> {
    const answer = await client.request({
      method,
      url: `${config.apiUrl}${path}`,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${bearer}`,
        "user-agent": "fettle",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "manual",
    });
    const text = await answer.text();
    if (answer.status >= 400) throw new CodeHostError(answer.status, `${method} ${path}`);
    return text === "" ? {} : JSON.parse(text);
  }

  async function tokenFor(repo: string): Promise<string> {
    const { id } = Installation.parse(await ask("GET", `/repos/${repo}/installation`, appToken(config)));
    return tokenOf(id);
  }
  async function tokenOf(installation: number): Promise<string> {
    const path = `/app/installations/${installation}/access_tokens`;
    return Token.parse(await ask("POST", path, appToken(config), {})).token;
  }

  return {
    async findRepo(repo) {
      try {
        const told = await ask("GET", `/repos/${repo}`, await tokenFor(repo));
        return z.looseObject({ full_name: z.string() }).parse(told).full_name;
      } catch (error) {
        if (error instanceof CodeHostError && [401, 403, 404].includes(error.status)) return undefined;
        throw error;
      }
    },
    async listRepos() {
      const found = await ask("GET", `/app/installations?per_page=${perPage}`, appToken(config));
      const repos: string[] = [];
      for (const { id } of z.array(Installation).parse(found)) {
        const path = `/installation/repositories?per_page=${perPage}`;
        const { repositories } = Repos.parse(await ask("GET", path, await tokenOf(id)));
        repos.push(...repositories.map((repository) => repository.full_name));
      }
      return repos.sort();
    },
    async createCheck(repo, headSha, state) {
      const body = { name, head_sha: headSha, ...bodyOf(state) };
      return String(
        Created.parse(await ask("POST", `/repos/${repo}/check-runs`, await tokenFor(repo), body)).id,
      );
    },
    async updateCheck(repo, id, state) {
      await ask("PATCH", `/repos/${repo}/check-runs/${id}`, await tokenFor(repo), bodyOf(state));
    },
    [Symbol.dispose]: () => client.close(),
  };
}

export class CodeHostError extends Error {
  readonly status: number;
  constructor(status: number, what: string) {
    super(`The code host answered ${status} to ${what}.`);
    this.name = "CodeHostError";
    this.status = status;
  }
}

const bodyOf = ({ status, conclusion, title, summary, detailsUrl }: CheckState) => ({
  status,
  ...(conclusion && { conclusion }),
  details_url: detailsUrl,
  output: { title, summary },
});

/** Proves that it is the app who asks; good for some minutes, and clocks may differ by one. */
function appToken({ appId, privateKey }: CodeHostConfig): string {
  const now = Math.floor(Date.now() / 1_000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now - 60, exp: now + 300, iss: appId })}`;
  const signature = sign("sha256", Buffer.from(text), createPrivateKey(privateKey.reveal()));
  return `${text}.${signature.toString("base64url")}`;
}

export function requireCodeHost({ codeHost }: { codeHost: CodeHostConfig | undefined }): CodeHostConfig {
  if (codeHost) return codeHost;
  throw new ApiError("FEATURE_NOT_SUPPORTED", "This deployment is not connected to a code host.", {
    reason: "CHECKS_NOT_CONFIGURED",
    code: "CHECKS_NOT_CONFIGURED",
    hint: "The operator sets FETTLE_CHECKS_APP_ID, FETTLE_CHECKS_PRIVATE_KEY and FETTLE_CHECKS_WEBHOOK_SECRET.",
  });
}
