/** @module The faults of the wire, once for all who tell of them: which rules a conversation broke, and how much that weighs for what a command is for. Pure. */
import { must } from "@fettle/contract/formats";
import type { WireKind, WireProblem, WireProblemCode } from "@fettle/mcp";
import { type Rule, ruleIn } from "../verdict/rule.ts";
import { rulesOfMessages } from "./rules-of-messages.ts";
import { rulesOfSending } from "./rules-of-sending.ts";
import type { WireRule } from "./wire-rule.ts";

/** What must be known of a conversation to say which rules bind it. */
export interface WireFacts {
  version: string;
  transport: WireKind;
}

/** What a command is for decides how much a fault weighs in it. */
export type Purpose =
  /** Will other clients get on with this server? The doctor, `server validate`. */
  | "use"
  /** Does it keep to the text? The conformance suites. */
  | "rules"
  /** It got its answer, and says what it saw beside it: `tools list`, `tools call`, `compat`. */
  | "answer";

/** Advice changes no verdict and no exit code. */
export type Severity = "error" | "warning" | "advice";

export interface WireFault {
  rule: WireRule;
  /** The sentence that binds this conversation. */
  said: Rule;
  /** What was seen first, and how often the like was. */
  problem: WireProblem;
  times: number;
  /** The whole sentence: of several alike, the first and how many more. */
  sentence: string;
}

/** The one place that weighs a fault of the wire. */
export function severityFor(purpose: Purpose, { rule, said }: Pick<WireFault, "rule" | "said">): Severity {
  const isBinding = said.word === "MUST" || said.word === "schema";
  if (purpose === "rules") return isBinding ? "error" : "advice";
  if (rule.breaksClients) return purpose === "use" ? "error" : "warning";
  return isBinding ? "warning" : "advice";
}

export const wireRules: readonly WireRule[] = [...rulesOfSending, ...rulesOfMessages];

/** The rule of a fault that has one; of several, by transport, the first. */
export function wireRuleFor(code: WireProblemCode): WireRule {
  return must(
    wireRules.find((rule) => rule.code === code),
    `the rule for ${code}`,
  );
}

/** Which rules a conversation broke, each once. What breaks none of the revision at hand is left out. */
export function judgeWire(problems: readonly WireProblem[], facts: WireFacts): WireFault[] {
  return wireRules.flatMap((rule) => {
    const seen = problems.filter(({ code }) => code === rule.code);
    const [problem] = seen;
    const said = sentenceFor(rule, facts);
    if (!problem || !said) return [];
    const others = new Set(seen.map(({ message }) => message)).size - 1;
    const more = others > 0 ? ` (and ${others} more)` : "";
    const sentence = problem.message.replace(/\.$/, `${more}.`);
    const times = seen.reduce((sum, { times: again = 1 }) => sum + again, 0);
    return [{ rule, said, problem, times, sentence }];
  });
}

function sentenceFor({ rules, transports }: WireRule, { version, transport }: WireFacts): Rule | undefined {
  return transports === undefined || transports.includes(transport) ? ruleIn(rules, version) : undefined;
}
