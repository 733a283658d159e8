/** @module One check in words: what it asks, by which sentences, why it matters, and how to mend what it finds. */
import { appsChecks } from "../apps/run-apps.ts";
import { oauthChecks } from "../oauth/registry.ts";
import { protocolAdvice } from "../protocol/advice/advice.ts";
import { protocolChecks } from "../protocol/registry.ts";
import { tasksChecks } from "../tasks/run-tasks.ts";
import { decides, type Rule } from "../verdict/rule.ts";
import { wireRules } from "../wire/wire-rules.ts";
import { suiteCures } from "./cures-of-suites.ts";
import { protocolCures } from "./cures-protocol.ts";
import { type Categories, whyOf } from "./kind-reasons.ts";

export interface ExplainedCheck {
  id: string;
  suite: keyof Categories;
  /** Absent where it only advises. */
  category?: string;
  title: string;
  asks: string;
  /** Whether what it finds fails a run, in the revisions whose word is MUST or the schema. */
  decides: boolean;
  rules: readonly Rule[];
  why: string;
  mend: string;
}

type Listed = Omit<ExplainedCheck, "decides" | "mend">;

function listed(): Listed[] {
  const of = <Suite extends keyof Categories>(
    suite: Suite,
    checks: readonly {
      id: string;
      title: string;
      description: string;
      category: Categories[Suite];
      rules: readonly Rule[];
    }[],
  ): Listed[] =>
    checks.map(({ id, title, description, category, rules }) => ({
      id,
      suite,
      category,
      title,
      asks: description,
      rules,
      why: whyOf[suite][category],
    }));
  return [
    ...of("protocol", protocolChecks),
    ...of("apps", appsChecks),
    ...of("tasks", tasksChecks),
    ...of("oauth", oauthChecks),
    ...protocolAdvice.map(({ id, title, rules }) => ({
      id,
      suite: "protocol" as const,
      title,
      asks: `${title}.`,
      rules,
      why: clientsFail(id) ? whyClientsFail : whyAdvised,
    })),
  ];
}

const whyAdvised =
  "Nobody fails without it, but clients, caches and people get on better with it; the note of a run says with what.";
/** As the doctor weighs it: it asks whether other clients get on with the server. */
const whyClientsFail =
  "The specification does not demand it, so a conformance run only advises; but other clients fail without it, and `fettle server doctor` calls it an error.";

function clientsFail(id: string): boolean {
  return wireRules.some(({ checkId, breaksClients }) => checkId === id && breaksClients);
}

export function explainableIds(): string[] {
  // Advice may go by the id of the check it stands beside.
  return [...new Set(listed().map(({ id }) => id))];
}

/** A fault of the wire has its cure beside its rule. */
function cureOf(id: string): string | undefined {
  return wireRules.find(({ checkId }) => checkId === id)?.hint ?? protocolCures[id] ?? suiteCures[id];
}

/**
 * @example
 * explainCheck("error-id-echo")?.why
 */
export function explainCheck(id: string): ExplainedCheck | undefined {
  const found = listed().find((check) => check.id === id);
  if (!found) return undefined;
  return {
    ...found,
    mend: cureOf(id) ?? "",
    decides: found.rules.some(({ word, revision }) => decides(word, { version: revision })),
  };
}
