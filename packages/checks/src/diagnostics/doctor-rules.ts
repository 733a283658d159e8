/** @module Faults of the wire as the doctor tells them: one finding for each rule, with its evidence and what to do. Pure. */
import { latestStateful, type WireProblem } from "@fettle/mcp";
import type { Rule } from "../verdict/rule.ts";
import type { WireRule } from "../wire/wire-rule.ts";
import { judgeWire, severityFor, type WireFacts } from "../wire/wire-rules.ts";
import type { DoctorObservations } from "./doctor-observations.ts";
import type { DoctorFinding } from "./doctor-report.ts";

/** One finding for each rule, however often it was broken. What stops other clients is an error, even where ours gets by. */
export function brokenRules(
  problems: readonly WireProblem[],
  facts: WireFacts,
  part: "connection" | "tools" | "prompts" = "connection",
): DoctorFinding[] {
  const faults = judgeWire(problems, facts).filter(({ rule }) => (rule.part ?? "connection") === part);
  return faults.map((fault) => {
    const { rule, said, problem, times, sentence } = fault;
    return {
      check: part,
      severity: severityFor("use", fault),
      code: rule.code === "MALFORMED" && facts.transport === "stdio" ? "STDOUT_POLLUTED" : "WIRE_RULE_BROKEN",
      summary: sentence,
      evidence: {
        ...ruleEvidence(rule, said),
        times,
        ...(problem.excerpt !== undefined && { excerpt: problem.excerpt }),
      },
      next: { text: rule.hint },
    };
  });
}

export function ruleEvidence({ code, checkId }: WireRule, { word, url }: Rule) {
  return { rule: code, check: checkId, word, reference: url };
}

/** Where nothing was agreed on, the newest revision with a handshake is what the server is held to. */
export function factsOf({ target, connection }: DoctorObservations): WireFacts {
  if (connection.kind === "connected") {
    const { protocolVersion: version, transport } = connection.initInfo;
    return { version, transport };
  }
  return { version: latestStateful, transport: target.kind === "stdio" ? "stdio" : "streamable-http" };
}

/** A fault that ended the connection, or hindered a list, is told once: as the cause, with the rule it breaks. */
export function toldOnce(findings: DoctorFinding[]): DoctorFinding[] {
  const isRule = ({ code }: DoctorFinding) => code === "WIRE_RULE_BROKEN";
  const causes = findings.filter((finding) => !isRule(finding));
  const rules = findings.filter(isRule);
  const withRule = (cause: DoctorFinding): DoctorFinding => {
    const same = rules.find(({ summary }) => summary === cause.summary);
    return same ? { ...cause, evidence: { ...cause.evidence, ...same.evidence }, next: same.next } : cause;
  };
  const others = rules.filter(({ summary }) => causes.every((cause) => cause.summary !== summary));
  return [...causes.map(withRule), ...others];
}

export function worstFirst(findings: DoctorFinding[]): DoctorFinding[] {
  const order = ["error", "warning", "advice"];
  return findings.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}
