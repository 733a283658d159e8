/** @module A first suite from a server's tools: a case for each, one that takes two, and some that take none, to be corrected by a person. The same tools give the same file. */
import type { Tool } from "@fettle/mcp";
import { draftCase, negativeCases, usableTools } from "./draft-case.ts";
import { draftCases, noDrafts } from "./draft-cases.ts";
import { questionsAbout } from "./draft-question.ts";
import type { SuiteFile } from "./suite-file.ts";

export interface DraftOptions {
  serverName: string;
  suiteId: string;
  suiteName: string;
  model: string;
}

export function draftSuite(tools: readonly Tool[], options: DraftOptions): SuiteFile {
  const { serverName } = options;
  const usable = usableTools(tools);
  const ids = new Set<string>();
  const questions = questionsAbout(usable);
  const alone = usable.map((tool) => draftCase(tool, uniqueId(tool.name, ids), serverName, questions));
  const { cases: together } = draftCases([{ serverName, tools }], { ...noDrafts, multiTool: 1 });
  const cases = [
    ...alone,
    ...together.map((draft) => ({ ...draft, id: uniqueId("two-tools", ids) })),
    ...negativeCases(questions).map((draft) => ({ ...draft, id: uniqueId("no-tool", ids) })),
  ];
  return {
    schemaVersion: "1",
    mode: "agentWorkflow",
    reportingMode: "standard",
    suite: { id: options.suiteId, name: options.suiteName },
    target: { servers: [{ name: serverName }] },
    defaults: { model: options.model, repetitions: 1, passThreshold: 1, validity: {} },
    cases,
  };
}

function uniqueId(name: string, taken: Set<string>): string {
  const slug = name.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 100);
  let id = `c_${slug}`;
  for (let count = 2; taken.has(id); count += 1) id = `c_${slug}-${count}`;
  taken.add(id);
  return id;
}
