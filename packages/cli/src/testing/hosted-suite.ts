/** @module Suite files for tests of hosted runs: the sample's bookshop answers, and every case says in its own line what it does. */

/** Asks the model for a tool, and expects it to be called. */
export const ask = (tool: string, expected = tool) =>
  `[{ id: p, kind: prompt, prompt: "Use ${tool}" }, { id: a, kind: assert, assertion: { type: toolCalledAtLeastOnce, toolName: ${expected} } }]`;
/** Calls the tool itself. */
export const calls = (tool: string, server = "serverName: Bookshop") =>
  `[{ id: t, kind: toolCall, ${server}, toolName: ${tool}, arguments: {} }]`;

/** What the model does not do. */
export const failing = ask("list_orders", "delete_everything");

export const oneCase = (id: string, steps = ask("list_orders"), more = "") =>
  `  - { id: ${id}, title: ${id} title, steps: ${steps}${more} }`;

export interface SuiteWanted {
  id?: string;
  defaults?: string;
  cases?: readonly string[];
  target?: string;
}

export const suiteOf = ({
  id = "s_file",
  defaults = "",
  cases = [oneCase("c_one")],
  target = "{ servers: [{ name: Bookshop }] }",
}: SuiteWanted = {}) => `schemaVersion: "1"
mode: agentWorkflow
reportingMode: standard
suite: { id: ${id}, name: ${id} }
target: ${target}
defaults: { model: fettle/rules-1, repetitions: 1${defaults.includes("passThreshold") ? "" : ", passThreshold: 1"}${defaults.includes("validity") ? "" : ", validity: {}"}${defaults} }
cases:
${cases.join("\n")}
${cases.some((one) => one.includes("import:")) ? "provenance: { sourceHash: a, sourceFormat: b, reportHash: c }\n" : ""}`;
