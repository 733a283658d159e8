/** @module What the pages and the API say can be done in the terminal can be done there. */
import { join } from "node:path";
import type { OperationDeclaration } from "@fettle/contract/core";
import { operations } from "@fettle/contract/operations";
import { expect, test } from "vitest";
import { tree } from "../packages/cli/src/commands/index.ts";
import { acceptedFlags, findNode, walk } from "../packages/cli/src/program/tree.ts";
import type { PageDeclaration } from "../packages/web/src/pages/page.ts";

const root = join(import.meta.dirname, "..");
const listed = join(root, "packages", "web", "src", "pages");
// By name only: the web app's modules are checked with a browser's types, which these tests do not have.
const { pages } = (await import(join(listed, "pages.ts"))) as { pages: readonly PageDeclaration[] };
const { commandTemplates } = (await import(join(listed, "command-line.ts"))) as {
  commandTemplates: (page: PageDeclaration) => readonly string[];
};
const commands = [...new Set(pages.flatMap(commandTemplates))];

test("pages name commands", () => {
  expect(commands.length).toBeGreaterThan(20);
});

test.each(commands)("%s", (command) => {
  const [, words, flags] = /^fettle (.+?)(?: (?=--|\{)(.*))?$/.exec(command)!;
  const node = findNode(tree, words!.split(" "));
  expect(node?.declaration.kind).toBe("command");
  const accepted = Object.keys(acceptedFlags(node!)).map((name) => `--${name}`);
  for (const flag of flags?.match(/--[\w-]+/g) ?? []) expect(accepted).toContain(flag);
});

const all: OperationDeclaration[] = Object.values(operations);
const built = all.filter(({ built, surface, raw }) => built && surface !== "app" && !raw);
const cloudCommands = [...walk(tree)].flatMap(({ declaration }) =>
  declaration.kind === "command" && declaration.name.startsWith("cloud ") ? [declaration] : [],
);

/** Why the terminal has no command for an operation that is built. The pages do all of them. */
const withoutCommand: Record<string, string> = {
  attachEvalSuiteEnvironment:
    "`cloud eval environments set` says all of them; a step of `cloud eval run --file`",
  callTool: "`fettle tools call` reaches a server from this machine",
  cancelConformanceRun: "hosted runs are watched on their page",
  checkOAuth: "`fettle oauth metadata` reaches a server from this machine",
  compareConformanceRuns: "hosted runs are watched on their page",
  createEvalCases: "a step of `cloud eval run --file`; `cloud eval cases create` adds one",
  createEvalIngestUploadUrl: "for frameworks that report what they ran themselves",
  exportConformanceRun: "`fettle conformance run --reporter` writes the same files",
  exportServer: "`fettle server export` reaches a server from this machine",
  exportTracesOtlp: "for collectors of traces, which ask by themselves",
  finalizeConformanceIngestRun: "a step of `fettle conformance run --upload`",
  finalizeEvalIngestRun: "for frameworks that report what they ran themselves",
  getConformanceReport: "hosted runs are watched on their page",
  getConformanceRun: "hosted runs are watched on their page",
  getEnvironmentCapabilities: "what a form may offer; `environments create` is told by the service",
  getEvalRunGroup: "`cloud eval runs` names the group of each; a page shows them together",
  getGateWaiver: "`cloud eval status` tells it with the run",
  getProject: "`cloud projects list` says the same of each",
  getProjectCapabilities: "what a page may offer; a command is told by the service",
  getPrompt: "`fettle prompts get` reaches a server from this machine",
  heartbeatConformanceIngestRun: "a step of `fettle conformance run --upload`",
  importOAuthTokens: "a step of `fettle oauth login`, for scripts that hold tokens",
  ingestEvalRunIterations: "for frameworks that report what they ran themselves",
  listEvalRunGradings: "`cloud eval status` tells the latest with the run",
  listEvalSuiteRuns: "`cloud eval runs --suite` asks for the same of all runs",
  listHarnessBuiltinTools: "for clients that show what a runtime can do beside its servers",
  listModels: "what a form may offer",
  listPrompts: "`fettle prompts list` reaches a server from this machine",
  listResources: "`fettle resources list` reaches a server from this machine",
  listResourceTemplates: "`fettle resources templates` reaches a server from this machine",
  listServerConnections: "`connect` is refused with the open requests, by name",
  listTools: "`fettle tools list` reaches a server from this machine",
  readResource: "`fettle resources read` reaches a server from this machine",
  regradeEvalRun: "for scripts that judge kept recordings again after a change of rules",
  reportConformanceRun: "a step of `fettle conformance run --upload`",
  reportEvalRun: "for frameworks that report what they ran themselves",
  retryServerConnectionValidation: "a step of the connection page",
  runDoctor: "`fettle server doctor` reaches a server from this machine",
  startConformanceIngestRun: "a step of `fettle conformance run --upload`",
  startConformanceRun: "hosted runs are started on their page",
  startEvalIngestRun: "for frameworks that report what they ran themselves",
  syncFileOwnedEvalSuite: "a step of `cloud eval run --file`",
  upsertConformanceIngestReport: "a step of `fettle conformance run --upload`",
  validateServer: "`fettle server validate` reaches a server from this machine",
};

test("every operation that is built names its command, is the old spelling of one that does, or says why not", () => {
  const silent = built.filter(({ id, cli, deprecated }) => !cli && !deprecated && !withoutCommand[id]);
  expect(silent.map(({ id }) => id)).toEqual([]);
  const named = built.filter(({ cli }) => cli !== undefined).map(({ id }) => id);
  expect(named.length).toBeGreaterThan(20);
  expect(Object.keys(withoutCommand).filter((id) => named.includes(id))).toEqual([]);
  const known = built.map(({ id }) => id);
  expect(Object.keys(withoutCommand).filter((id) => !known.includes(id))).toEqual([]);
});

test("what the API names as the same in the terminal is a command that says it calls the operation", () => {
  const missing = built.filter(({ id, cli }) => {
    if (!cli) return false;
    const declaration = findNode(tree, cli.split(" ").slice(1))?.declaration;
    return declaration?.kind !== "command" || !declaration.operations?.some((called) => called === id);
  });
  expect(missing.map(({ id, cli }) => `${id}: ${cli}`)).toEqual([]);
});

test("a cloud command calls built operations that name it, or does something of its own", () => {
  const ownWork = [
    "cloud login",
    "cloud logout",
    "cloud status",
    "cloud link",
    "cloud projects servers import",
    "cloud eval export",
    "cloud eval validate",
    "cloud sessions promote",
  ];
  const idle = cloudCommands.filter(({ name, operations }) => !operations && !ownWork.includes(name));
  expect(idle.map(({ name }) => name)).toEqual([]);
  /** Parts of what an operation does, each with a command of its own beside the one that does all. */
  const parts = [
    "cloud eval environments set",
    "cloud eval environments clear",
    "cloud eval cases run",
    "cloud eval insights",
  ];
  const whole = cloudCommands.filter(({ name }) => !parts.includes(name));
  const strangers = whole.flatMap(({ name, operations = [] }) =>
    operations
      .filter((id) => !built.some((operation) => operation.id === id && namesIt(operation.cli, name)))
      .map((id) => `${name}: ${id}`),
  );
  expect(strangers).toEqual([]);
});

/** A command that also lists without a further word does what its `list` does. */
function namesIt(cli: string | undefined, name: string): boolean {
  return cli === `fettle ${name}` || cli === `fettle ${name} list`;
}
