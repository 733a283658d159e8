/** @module What one field of a suite file says about another. Read from the value as it came, so that a fault elsewhere hides none of these. */
import type { SuiteFindingCode } from "@fettle/contract/evals";
import { ModelError } from "../models/model.ts";
import { parseModelName } from "../models/model-name.ts";
import type { DocumentFault, Path } from "./document.ts";

type Fields = Record<string, unknown>;
type Add = (path: Path, message: string, code?: SuiteFindingCode) => void;

export function crossFaults(file: Fields): DocumentFault[] {
  const faults: DocumentFault[] = [];
  const add: Add = (path, message, code = "SUITE_FILE_INVALID") => {
    faults.push({ code, path, message });
  };
  const defaults = fieldsOf(file.defaults);
  const target = fieldsOf(file.target);
  targetFaults(target, add);
  policyFaults(fieldsOf(defaults.toolPolicy), add);
  modelFaults(defaults.model, ["defaults", "model"], defaults.provider, add);
  if (!isExactPercent(defaults.passThreshold)) add(["defaults", "passThreshold"], ...thresholdFault);
  const cases = objectsIn(file.cases);
  for (const [index, id] of repeated(cases, "id")) {
    add(["cases", index, "id"], `"${id}" is the id of an earlier case; history joins on it.`);
  }
  const servers = serversOf(target);
  for (const [index, item] of cases.entries()) {
    const at = ["cases", index];
    const steps = objectsIn(item.steps);
    for (const [step, id] of repeated(steps, "id")) {
      add([...at, "steps", step, "id"], `"${id}" is the id of an earlier step of this case.`);
    }
    const acts = steps.some(({ kind }) => kind === "prompt" || kind === "toolCall");
    if (steps.length > 0 && !acts && item.disabled !== true) {
      add(
        [...at, "steps"],
        "needs a prompt or toolCall step: without one nothing happens that could be judged.",
      );
    }
    if (servers) callFaults(steps, servers, [...at, "steps"], add);
    if (item.isNegativeTest === true) refusalFaults(item, steps, at, add);
    modelFaults(item.model, [...at, "model"], defaults.provider, add);
    if (item.import !== undefined && file.provenance === undefined) {
      add([...at, "import"], "needs the file's provenance: where was it imported from?");
    }
    if (!isExactPercent(item.passThreshold)) add([...at, "passThreshold"], ...thresholdFault);
  }
  return faults;
}

/** No tool is to be called, and one is to fail: nothing could pass. */
function refusalFaults(item: Fields, steps: readonly Fields[], at: Path, add: Add): void {
  const message = "needs a tool to be called, and a negative case passes when none is; keep one.";
  if (item.expectToolError !== undefined) add([...at, "expectToolError"], message);
  for (const [index, step] of steps.entries()) {
    if (step.kind === "prompt" && step.expectToolError !== undefined)
      add([...at, "steps", index, "expectToolError"], message);
  }
}

function targetFaults(target: Fields, add: Add): void {
  const hosts = objectsIn(target.hosts);
  const lists: [Path, Fields[], string][] = [
    [["target", "servers"], objectsIn(target.servers), "server"],
    [["target", "hosts"], hosts, "host"],
    ...hosts.map((host, index): [Path, Fields[], string] => [
      ["target", "hosts", index, "servers"],
      objectsIn(host.servers),
      "server",
    ]),
  ];
  for (const [path, list, what] of lists) {
    for (const key of ["name", "id"]) {
      for (const [index, word] of repeated(list, key)) {
        add([...path, index, key], `"${word}" is the ${key} of an earlier ${what}.`);
      }
    }
  }
}

function policyFaults({ allow, deny }: Fields, add: Add): void {
  if (!Array.isArray(allow) || !Array.isArray(deny)) return;
  for (const [index, name] of deny.entries()) {
    if (!allow.includes(name)) continue;
    add(["defaults", "toolPolicy", "deny", index], `"${name}" is allowed too; keep one.`);
  }
}

/** Undefined: an environment says which servers there are, and nobody can know here. */
function serversOf({ servers, environment, hosts }: Fields): Fields[] | undefined {
  if (environment !== undefined || !Array.isArray(servers)) return undefined;
  return [...objectsIn(servers), ...objectsIn(hosts).flatMap((host) => objectsIn(host.servers))];
}

function callFaults(steps: readonly Fields[], servers: readonly Fields[], path: Path, add: Add): void {
  for (const [index, { kind, serverName, serverId }] of steps.entries()) {
    if (kind !== "toolCall" || typeof serverName !== "string") continue;
    const isDeclared = servers.some(
      ({ name, id }) => name === serverName || (serverId !== undefined && id === serverId),
    );
    if (isDeclared) continue;
    const names = servers.map(({ name }) => name).join(", ");
    add([...path, index, "serverName"], `"${serverName}" is none of target.servers: ${names}.`);
  }
}

/** A name that no configuration could make into a model. A bare one is completed by the file's provider. */
function modelFaults(model: unknown, path: Path, provider: unknown, add: Add): void {
  if (typeof model !== "string" || model.trim() === "") return;
  const isBare = !model.includes("/") && !model.startsWith("custom:");
  const isCompleted = isBare && typeof provider === "string" && provider !== "";
  try {
    const { kind } = parseModelName(isCompleted ? `${provider}/${model}` : model);
    if (kind === "replay") add(path, "names a recording; name its model, and run it with --cassette replay.");
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const at = isCompleted ? ["defaults", "provider"] : path;
    add(at, `cannot be used: ${error.message} ${error.hint ?? ""}`.trim());
  }
}

const thresholdFault = [
  "must be a percentage with at most one decimal, as 0.8 or 0.667; it is refused rather than rounded.",
  "PASS_THRESHOLD_NOT_REPRESENTABLE",
] as const;

/** By its shortest decimal text: multiplying would make 0.57 into 56.99999999999999. */
function isExactPercent(value: unknown): boolean {
  if (typeof value !== "number" || !(value >= 0 && value <= 1)) return true;
  return /^[01](?:\.\d{1,3})?$/.test(String(value));
}

/** The places of texts that stood under this key before. */
function repeated(list: readonly Fields[], key: string): [number, string][] {
  const first = new Set<string>();
  return [...list.entries()].flatMap(([index, { [key]: word }]): [number, string][] => {
    if (typeof word !== "string") return [];
    if (first.has(word)) return [[index, word]];
    first.add(word);
    return [];
  });
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** What is no object stays in its place, so that places stay right. */
function objectsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}
