/** @module What an import would do, decided before anything is saved. Pure. */

import type { SandboxImageId } from "@fettle/contract/core";
import {
  type ConfiguredHttpServer,
  type ConfiguredServer,
  type ConfiguredStdioServer,
  type DroppedCredential,
  type ProjectServer,
  ProjectServerCreateRequest,
  savedFormOf,
} from "@fettle/contract/servers";
import type { ClashRule } from "./clash.ts";

export interface PlannedServer {
  /** In the file. */
  name: string;
  /** In the project. */
  savedAs: string;
  action: "create" | "replace" | "skip";
  /** Of the server that has the name. */
  id?: string;
  reason?: string;
  body?: ProjectServerCreateRequest;
  server?: ConfiguredHttpServer | ConfiguredStdioServer;
  /** Once it is saved: the image that the command runs in. */
  image?: { id: string; name?: string | null };
  /** What was saved before and is forgotten, as far as it is known. */
  credentialsDropped?: DroppedCredential[];
}

export interface ImportProblem {
  name: string;
  problem: string;
}

export interface ImportPlan {
  servers: PlannedServer[];
  /** Any of them, and nothing is saved. */
  problems: ImportProblem[];
}

type SavedBefore = Pick<ProjectServer, "id" | "name" | "headerNames" | "hasClientSecret">;

export interface PlanQuestion {
  found: readonly ConfiguredServer[];
  saved: readonly SavedBefore[];
  only: readonly string[];
  onClash: ClashRule;
  valueFor: (name: string) => string | undefined;
  /** Commands run in it. */
  image?: { id: SandboxImageId; name: string | null } | undefined;
}

export function planImport(question: PlanQuestion): ImportPlan {
  const { found, saved, only, onClash, valueFor, image } = question;
  const plan: ImportPlan = { servers: [], problems: [] };
  const fail = (name: string, problem: string) => plan.problems.push({ name, problem });
  const taken = new Map(saved.map(({ id, name }) => [name.toLowerCase(), id]));
  for (const one of only) {
    if (!found.some(({ name }) => isSame(one, name))) fail(one, "is not in the file");
  }
  const chosen = only.length === 0 ? found : chooseOnly(found, only);
  const inFile = new Set<string>();
  for (const server of chosen) {
    const { name } = server;
    const key = name.trim().toLowerCase();
    const isTwice = inFile.has(key);
    inFile.add(key);
    if (server.kind === "unreadable") {
      fail(name, lowerFirst(server.reason));
      continue;
    }
    if (server.kind === "foreign") {
      plan.servers.push({ name, savedAs: name, action: "skip", reason: lowerFirst(server.reason) });
      continue;
    }
    if (isTwice && onClash !== "rename") {
      fail(name, "is in the file twice but for its case");
      continue;
    }
    const open = openIn(server, question);
    if (open.length > 0) {
      fail(name, `leaves ${open.join(", ")} open`);
      continue;
    }
    const body = savedFormOf(server, valueFor, image?.id);
    const clash = taken.get(key);
    if (clash !== undefined && onClash === "fail") {
      fail(name, "is the name of a server in the project");
      continue;
    }
    if (clash !== undefined && onClash === "skip") {
      plan.servers.push({
        name,
        savedAs: name,
        action: "skip",
        id: clash,
        reason: "the project has one of that name",
      });
      continue;
    }
    const savedAs = clash !== undefined && onClash === "rename" ? freeName(name, taken) : name;
    const checked = ProjectServerCreateRequest.safeParse({ ...body, name: savedAs });
    if (!checked.success) {
      for (const { path, message } of checked.error.issues)
        fail(name, `${path.join(".")}: ${lowerFirst(message)}`);
      continue;
    }
    const isReplaced = clash !== undefined && onClash === "replace";
    taken.set(savedAs.toLowerCase(), clash ?? "");
    plan.servers.push({
      name,
      savedAs,
      action: isReplaced ? "replace" : "create",
      ...(isReplaced && {
        id: clash,
        credentialsDropped: droppedBy(
          checked.data,
          saved.find(({ id }) => id === clash),
        ),
      }),
      body: checked.data,
      server,
      ...(image && server.kind === "stdio" && { image }),
    });
  }
  return plan;
}

/** A replaced server is what the file says, so what only the saved one had is gone. */
function droppedBy(body: ProjectServerCreateRequest, before: SavedBefore | undefined): DroppedCredential[] {
  const kept = new Set(Object.keys(body.headers ?? {}).map((name) => name.toLowerCase()));
  const losesHeader = before?.headerNames.some((name) => !kept.has(name.toLowerCase())) ?? false;
  const losesSecret = before?.hasClientSecret === true && body.clientSecret === undefined;
  return [
    ...(losesHeader ? (["headers"] as const) : []),
    ...(losesSecret ? (["clientSecret"] as const) : []),
  ];
}

/** As typed; where the file has no such name, whatever its case. */
function chooseOnly(found: readonly ConfiguredServer[], only: readonly string[]): ConfiguredServer[] {
  const isExact = (one: string) => found.some(({ name }) => name === one);
  return found.filter(({ name }) => only.some((one) => (isExact(one) ? name === one : isSame(one, name))));
}

/** A command's open places are values of the machine that runs it, unless that is a container. */
function openIn(
  server: ConfiguredHttpServer | ConfiguredStdioServer,
  { valueFor, image }: PlanQuestion,
): string[] {
  if (server.kind === "stdio" && image === undefined) return [];
  return server.places
    .filter(({ name, fallback }) => valueFor(name) === undefined && fallback === undefined)
    .map(({ text, about }) => (about === undefined ? text : `${text} (${about})`));
}

function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  for (let number = 2; ; number++) {
    const tried = `${name} ${number}`;
    if (!taken.has(tried.toLowerCase())) return tried;
  }
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

const lowerFirst = (sentence: string) =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
