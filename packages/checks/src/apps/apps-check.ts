/** @module How a check of apps is declared, and what several of them say when there is nothing to judge. */
import type { RuleWord } from "@fettle/contract/servers";
import { failed, notApplicable, passed, type Verdict } from "../verdict/check-result.ts";
import type { Finding, Rule } from "../verdict/rule.ts";
import type { Check } from "../verdict/run-checks.ts";
import type { AppsFacts, AppsObserved, SeenDocument } from "./observe-apps.ts";

export const appsCategories = ["tools", "resources"] as const;
export type AppsCategory = (typeof appsCategories)[number];

export type AppsCheck = Check<AppsObserved, AppsFacts, AppsCategory>;

const appsDocument =
  "https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx";

/** A sentence of MCP Apps, whichever revision of the protocol is spoken. */
export function appsSpec(word: RuleWord, title: string, section: string): Rule[] {
  return [{ word, title: `MCP Apps: ${title}`, url: `${appsDocument}#${section}`, revision: "2026-01-26" }];
}

/** Of one vendor and not of MCP, so it never decides. */
export const openAiSpec: Rule[] = [
  {
    word: "inferred",
    title: "Apps SDK reference",
    url: "https://developers.openai.com/apps-sdk/reference",
    revision: "Apps SDK",
  },
];

export const noWidgets = notApplicable("The server has no widgets.");

/** As many as anyone reads; a server may have thousands. */
const shown = 25;

/** All faults at once: someone mends them in one go. */
export function verdictOf(faults: readonly string[], warnings: readonly Finding[] = []): Verdict {
  const told = warnings.length > 0 ? { warnings: warnings.slice(0, shown) } : {};
  if (faults.length === 0) return { ...passed(), ...told };
  const [first = "", ...rest] = faults;
  const why = rest.length === 0 ? first : `${first} And ${rest.length} more.`;
  return { ...failed(why, { faults: faults.slice(0, shown), count: faults.length }), ...told };
}

export interface ReadDocument {
  uri: string;
  dialects: SeenDocument["dialects"];
  contents: unknown;
}

/** Those that could be read; the others are the matter of one check alone. */
export function readDocumentsOf(documents: readonly SeenDocument[]): ReadDocument[] {
  return documents.flatMap(({ uri, dialects, answer }) =>
    "contents" in answer ? [{ uri, dialects, contents: answer.contents }] : [],
  );
}
