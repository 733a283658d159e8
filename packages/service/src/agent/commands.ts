/**
 * @module The agent without a language model: a fixed set of commands, each a few operations and a sentence about what they gave.
 * It matches words and understands nothing, and says so to whatever else it is told.
 */
import { limits } from "@fettle/contract/core";
import { draftSuite, ruleModelId } from "@fettle/evals";
import { isObject, type JsonObject, type Tool } from "@fettle/mcp";
import type { Workspace } from "./workspace.ts";

type Doing = Pick<Workspace, "run" | "work">;

interface Command {
  /** As people are told it. */
  says: string;
  pattern: RegExp;
  run(ask: Ask, named: Record<string, string | undefined>): Promise<string>;
}

/** Answers with the body, or throws what the operation refused with. */
type Ask = ((operation: string, given?: JsonObject) => Promise<JsonObject>) & { workspace: Doing };

/** An operation said no; its words are the reply. */
class Refused extends Error {}

const commands: readonly Command[] = [
  {
    says: "list suites",
    pattern: /^(?:list|show)(?: me)?(?: (?:all|the|my))*(?: eval)? suites$/,
    run: async (ask) => {
      const suites = itemsOf(await ask("listEvalSuites"));
      if (suites.length === 0) return "There is no suite yet. Try: create suite from tools";
      const lines = suites.map((suite) => {
        const latest = isObject(suite.latestRun) ? suite.latestRun : undefined;
        const ran = latest
          ? `latest run ${text(latest.id)}: ${text(latest.result ?? latest.status)}`
          : "never run";
        return `- ${text(suite.name)} (${text(suite.id)}), ${text(suite.caseCount)} cases, ${ran}`;
      });
      return [`${counted(suites.length, "suite")}:`, ...lines].join("\n");
    },
  },
  {
    says: "list servers",
    pattern: /^(?:list|show)(?: me)?(?: (?:all|the|my))* servers$/,
    run: async (ask) => {
      const servers = itemsOf(await ask("listProjectServers"));
      const lines = servers.map(({ id, name }) => `- ${text(name)} (${text(id)})`);
      return [`${counted(servers.length, "server")}:`, ...lines].join("\n");
    },
  },
  {
    says: "show run <id>, or: show latest run",
    pattern: /^(?:show|read|describe)(?: me)?(?: the)? (?:run (?<run>\S+)|(?:latest|last) run)$/,
    run: async (ask, { run }) => {
      const id = run ?? text(itemsOf(await ask("listEvalRuns", { query: { limit: 1 } }))[0]?.id ?? "");
      if (id === "") return "There is no run yet. Try: run suite <name>";
      return aboutRun(await ask("getEvalRun", { runId: id }));
    },
  },
  {
    says: "create suite from tools, or: create suite from tools of <server>",
    pattern:
      /^(?:create|make|draft)(?: a| me a)?(?: new)?(?: eval)? suite from(?: the)? tools(?: (?:of|on|from) (?<server>.+))?$/,
    run: async (ask, { server }) => createSuite(ask, server),
  },
  {
    says: "explain finding <id>",
    pattern: /^(?:explain|show)(?: me)?(?: the)? finding (?<finding>\S+)$/,
    run: async (ask, { finding = "" }) => explainFinding(ask, finding),
  },
  {
    says: "run suite <id or name> (a person approves it, because a run may spend)",
    pattern: /^(?:run|start|launch)(?: the)?(?: eval)? suite (?<suite>.+)$/,
    run: async (ask, { suite = "" }) => proposeRun(ask, suite),
  },
];

const grammarNotice =
  "No language model is set up here, so I am a fixed set of commands that matches words and understands nothing else.";

const help = [grammarNotice, "I know:", ...commands.map(({ says }) => `- ${says}`)].join("\n");

const longestRead = 500;

export async function runCommand(workspace: Doing, message: string, signal: AbortSignal): Promise<string> {
  const said = message
    .slice(0, longestRead)
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[.!?]+$/, "");
  const run = async (operation: string, given: JsonObject = {}) => {
    signal.throwIfAborted();
    const { status, body } = await workspace.run(operation, given);
    const answer = isObject(body) ? body : {};
    if (status >= 400) throw new Refused(text(answer.message ?? `${operation} failed.`));
    return answer;
  };
  const ask: Ask = Object.assign(run, { workspace });
  for (const { pattern, run: act } of commands) {
    const found = new RegExp(pattern.source, "i").exec(said);
    if (!found) continue;
    try {
      return await act(ask, { ...found.groups });
    } catch (error) {
      if (error instanceof Refused) return error.message;
      throw error;
    }
  }
  return help;
}

async function createSuite(ask: Ask, wanted: string | undefined): Promise<string> {
  const servers = itemsOf(await ask("listProjectServers"));
  const name = wanted?.replace(/^["']|["']$/g, "");
  const named = name === undefined ? servers : servers.filter((one) => isNamed(one, name));
  const [server, ...others] = named;
  if (server === undefined)
    return name === undefined ? "The project has no server yet." : `No server is called ${name}.`;
  if (others.length > 0) {
    const names = named.map((one) => text(one.name)).join(", ");
    return `Which server? Say: create suite from tools of <server>. There are ${names}.`;
  }
  const listed = await ask("listTools", { serverId: text(server.id) });
  // As the server wrote them: what can be made a case of is looked at there.
  const offered = itemsOf(listed) as Tool[];
  const serverName = text(server.name);
  const suiteName = freeName(`Tools of ${serverName}`, itemsOf(await ask("listEvalSuites")));
  const drafted = draftSuite(offered, { serverName, suiteId: "drafted", suiteName, model: ruleModelId });
  // What a tool may change is left to people.
  const tests = drafted.cases
    .filter(({ disabled }) => disabled !== true)
    .slice(0, limits.evals.testsPerSuiteCreate)
    .map(({ title, steps }) => ({ title, steps }));
  if (offered.length === 0) return `${serverName} offers no tools, so there is nothing to make a suite of.`;
  const body = { name: suiteName, serverIds: [text(server.id)], model: ruleModelId, tests };
  await ask("createEvalSuite", { body });
  const made = ask.workspace.work.created.at(-1);
  const facts = `of ${counted(offered.length, "tool")}, with ${counted(tests.length, "case")}`;
  return `Made the suite ${suiteName} (${made?.id}) ${facts}.\n\nTo run it, say: run suite ${made?.id}`;
}

async function proposeRun(ask: Ask, wanted: string): Promise<string> {
  const name = wanted.replace(/^["']|["']$/g, "");
  const suites = itemsOf(await ask("listEvalSuites")).filter((one) => isNamed(one, name));
  const [suite] = suites;
  if (!suite) return `No suite is called ${name}. Say: list suites`;
  if (suites.length > 1) {
    return `Several suites are called that: ${suites.map((one) => text(one.id)).join(", ")}. Name one by its id.`;
  }
  const { proposed, note } = await ask("createEvalRun", { body: { suiteId: text(suite.id) } });
  if (note) {
    const id = isObject(proposed) ? text(proposed.actionId) : "";
    return `A run of ${text(suite.name)} (${text(suite.id)}) is proposed already (${id}) and waits for somebody to approve it in the web app. Nothing has been started.`;
  }
  return `Proposed: a run of ${text(suite.name)} (${text(suite.id)}). Nothing has been started; somebody approves it in the web app.`;
}

/** With a number where another one has the name: two would leave open which is meant. */
function freeName(wanted: string, taken: readonly JsonObject[]): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? "" : ` ${number}`;
    const name = wanted.slice(0, limits.text.nameLength - end.length).toWellFormed() + end;
    if (!taken.some((one) => isNamed(one, name))) return name;
  }
}

/** Runs whose findings are looked through. */
const latestRuns = 8;

async function explainFinding(ask: Ask, id: string): Promise<string> {
  const ofSwarms = itemsOf(await ask("listSwarmFindings")).map((one) =>
    isObject(one.finding) ? one.finding : one,
  );
  const known = ofSwarms.find((one) => one.id === id);
  if (known) return aboutFinding(known);
  for (const run of itemsOf(await ask("listEvalRuns", { query: { limit: latestRuns } }))) {
    const { insights } = await ask("getEvalRun", { runId: text(run.id) });
    const findings = isObject(insights) ? listOf(insights.findings) : [];
    const found = findings.find((one) => one.id === id);
    if (found) return aboutFinding(found);
  }
  return `No finding ${id} is in the latest ${latestRuns} runs or in the waves of this project.`;
}

function aboutFinding(finding: JsonObject): string {
  const affected = isObject(finding.affected) ? finding.affected : undefined;
  return [
    `${text(finding.title)} (${text(finding.id)}, severity ${text(finding.severity)}, ${text(finding.category)})`,
    `Seen: ${text(finding.observed)}`,
    ...(affected
      ? [`Affected: ${text(affected.count)} of ${text(affected.total)} ${text(affected.unit)}`]
      : []),
    ...(finding.rootCause ? [`Cause: ${text(finding.rootCause)}`] : []),
    `What to do: ${text(finding.recommendation)}`,
    ...(Array.isArray(finding.acceptanceCriteria)
      ? finding.acceptanceCriteria.map((one) => `Done when: ${text(one)}`)
      : []),
  ].join("\n");
}

function aboutRun(run: JsonObject): string {
  const summary = isObject(run.summary) ? run.summary : {};
  const insights = isObject(run.insights) ? listOf(run.insights.findings) : [];
  const counts = ["passed", "failed", "total"]
    .filter((name) => summary[name] !== undefined)
    .map((name) => `${text(summary[name])} ${name}`);
  return [
    `Run ${text(run.id ?? run.runId)}: ${text(run.status)}${run.result ? `, ${text(run.result)}` : ""}`,
    ...(counts.length > 0 ? [counts.join(", ")] : []),
    ...insights.map((one) => `- finding ${text(one.id)}: ${text(one.title)}`),
  ].join("\n");
}

const isNamed = ({ id, name }: JsonObject, wanted: string) =>
  id === wanted || text(name).toLowerCase() === wanted.toLowerCase();

const itemsOf = ({ items }: JsonObject): JsonObject[] => listOf(items);
const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

const longestShown = 1_000;
const text = (value: unknown) =>
  (typeof value === "string" ? value : String(value ?? "")).slice(0, longestShown);

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
