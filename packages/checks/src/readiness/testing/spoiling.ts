/** @module One thing wrong with an otherwise good submission, and the findings it must change: these and no others. */
import type { ReadinessFindingStatus, ReadinessKind, SubmissionMode } from "@fettle/contract/servers";
import { isObject, type JsonObject } from "@fettle/mcp";
import type { Fault } from "../../protocol/testing/faulty-proxy.ts";
import { inItem, inResultOf } from "../../protocol/testing/mutation.ts";
import type { ReadinessEvidence, ServerEvidence } from "../evidence.ts";
import { gradeReadiness, type ReadinessReport } from "../grade.ts";
import { readArchive } from "../package/read-package.ts";
import { type ArchiveEntry, zipOf } from "./archive.ts";
import { type Draft, entriesOf, goodPackage, goodProfile, listedUrl } from "./good.ts";
import { observeListed, type ServerSpoiling } from "./listed-server.ts";

export type Profile = ReturnType<typeof goodProfile>;

export interface Spoiling {
  /** A sentence about the submission. */
  name: string;
  /** The way to submit to publisher B; `mcp-uploaded-skills` unless said. */
  mode?: SubmissionMode;
  server?: ServerSpoiling;
  /** `none`: there is no profile. */
  profile?: ((profile: Profile) => void) | "none";
  package?: (draft: Draft) => void;
  /** What the draft cannot say. */
  archive?: (entries: ArchiveEntry[]) => ArchiveEntry[] | Uint8Array<ArrayBuffer>;
  /** What other runners see, or nobody. */
  evidence?: (evidence: ReadinessEvidence & { server: ServerEvidence }) => void;
  /** Exactly these findings become this. */
  changes: Record<string, ReadinessFindingStatus>;
  /** What the grade is then. */
  grade?: ReadinessReport["overallStatus"];
}

/** The good submission that a spoiling starts from. */
export interface Stage {
  report(spoiling?: Partial<Spoiling>): Promise<ReadinessReport>;
  changesOf(spoiling: Spoiling): Promise<{ changes: Spoiling["changes"]; report: ReadinessReport }>;
}

/** A look at a good server is taken once for each way to guard and to submit; only a spoiled one is looked at again. */
export function openStage(kind: ReadinessKind, upstream: string): Stage {
  const looks = new Map<string, Promise<ServerEvidence>>();
  const look = (spoiling: ServerSpoiling | undefined) => {
    if (spoiling?.fault || spoiling?.skills) return observeListed(upstream, kind, spoiling);
    const key = spoiling?.guard ? String(spoiling.guard) : "open";
    const known = looks.get(key) ?? observeListed(upstream, kind, spoiling);
    looks.set(key, known);
    return known;
  };
  async function report({
    mode = "mcp-uploaded-skills",
    server: spoiled,
    profile,
    package: change,
    archive,
    evidence: bend,
  }: Partial<Spoiling> = {}): Promise<ReadinessReport> {
    const listed = goodProfile();
    if (spoiled?.guard) listed.authMode = "oauth-dcr";
    if (typeof profile === "function") profile(listed);
    const draft = goodPackage();
    change?.(draft);
    const entries = entriesOf(draft);
    const packed = archive?.(entries) ?? entries;
    const evidence = {
      server: structuredClone(await look(spoiled)),
      ...(profile !== "none" && { profile: listed }),
      ...(kind === "openai" && {
        submissionMode: mode,
        package: await readArchive(packed instanceof Uint8Array ? packed : zipOf(packed)),
      }),
      authorizationRequests: [{ authorize: listedUrl, token: listedUrl }],
      authMode: "headless",
      capabilities: ["dns", "raw-origin", "interactive-oauth"],
    } satisfies ReadinessEvidence;
    bend?.(evidence);
    return gradeReadiness(kind, evidence, { evaluatedAt: "2026-11-16T00:00:00Z", engineVersion: "0" });
  }
  return {
    report,
    async changesOf(spoiling) {
      const { mode, server } = spoiling;
      const [good, bad] = await Promise.all([
        report({
          ...(mode && { mode }),
          ...(server?.guard && { server: { guard: unspoiled } }),
          ...(server?.skills && { server: { skills: goodSkills } }),
        }),
        report(spoiling),
      ]);
      const before = new Map(good.findings.map(({ id, status }) => [id, status]));
      const changed = bad.findings.filter(({ id, status }) => before.get(id) !== status);
      return { changes: Object.fromEntries(changed.map(({ id, status }) => [id, status])), report: bad };
    },
  };
}

/** The findings that are against a submission, or open, and say no more than that. */
export const withoutReason = ({ findings }: ReadinessReport): string[] =>
  findings.flatMap(({ id, status, message, notEvaluatedReason }) =>
    (status === "violated" && !message) || (status === "not-evaluated" && !notEvaluatedReason) ? [id] : [],
  );

/** The same of several rules of publisher B. */
export const all = (status: ReadinessFindingStatus, ids: readonly string[]): Spoiling["changes"] =>
  Object.fromEntries(ids.map((id) => [`openai.${id}`, status]));

export const unspoiled = () => {};

export const goodSkills: NonNullable<ServerSpoiling["skills"]> = [
  {
    listed: { name: "order", description: "Orders a drink." },
    files: [
      {
        path: "SKILL.md",
        text: "---\nname: order\ndescription: Orders a drink.\n---\nAsk what it is to be.\n",
      },
    ],
  },
];

/** Changes one tool of the list. */
export function tool(name: string, change: (tool: JsonObject, meta: JsonObject) => void): ServerSpoiling {
  return {
    fault: {
      message: inItem("tools/list", "tools", name, (item) =>
        change(item, isObject(item._meta) ? item._meta : {}),
      ),
    },
  };
}

/** Changes what one widget's document is answered with. */
export function widget(uri: string, change: (content: JsonObject, meta: JsonObject) => void): ServerSpoiling {
  return {
    fault: {
      message: inResultOf(
        "resources/read",
        ({ contents }) => {
          const [content] = contents as JsonObject[];
          if (content) change(content, isObject(content._meta) ? content._meta : {});
        },
        uri,
      ),
    },
  };
}

export const menuUri = "ui://cafe/menu.html";

/** Redirects whoever comes, before anything else. */
export function redirecting(to: (path: string, host: string) => string | undefined): ServerSpoiling {
  const answer: NonNullable<Fault["answer"]> = ({ method, path, headers }) => {
    const location = method === "GET" ? to(path, headers.host ?? "") : undefined;
    return location === undefined ? undefined : { status: 307, headers: { location } };
  };
  return { fault: { answer } };
}
