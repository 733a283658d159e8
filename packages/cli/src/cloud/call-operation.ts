/** @module Runs a declared cloud command: reads its fields, finds what it names, calls the operation, shows the answer. */
import { ApiError } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { usageError } from "../cli-error.ts";
import { readDocument } from "../input/document.ts";
import { outline } from "../output/outline.ts";
import type { Outcome } from "../output/printer.ts";
import { shellWords } from "../output/shell-words.ts";
import { count, pluralOf, table } from "../output/table.ts";
import { lines, style, type Text, text, type Writable } from "../output/text.ts";
import type { Call, NoArguments } from "../program/command.ts";
import type { FlagTable } from "../program/flag.ts";
import { askForName, askWhether, refuseUnasked } from "./confirm-deletion.ts";
import { type Found, finders, type Noun, readByFinding } from "./finders.ts";
import { type InProject, inProject } from "./in-project.ts";
import { inNamedProject } from "./named-project.ts";
import {
  type AnyAnswer,
  declaredFlags,
  deletes,
  type Fields,
  fieldRows,
  flagOfField,
  isGuard,
  type OperationCommand,
  typed,
} from "./operation-command.ts";
import { reachDeployment } from "./reach-deployment.ts";

type AnyCall = Call<FlagTable, NoArguments>;

export async function callOperation(command: OperationCommand, call: AnyCall): Promise<Outcome> {
  requireParameters(command, call.flags);
  const fields = await readFields(command, call);
  const asks = deletes(command) && typed(call.flags, "yes") !== true;
  if (asks) refuseUnasked(call, confirmedCommand(command, call));
  if (command.wipes !== undefined && typed(call.flags, "yes") !== true) await askWhether(call, command.wipes);
  const place = await reach(command, call);
  const { parameters, subject, read } = await findNamed(command, call.flags, fields, place);
  if (asks) await askForName(call, await subjectOf(command, call.flags, place, subject));
  // The declaration's functions take the answer of their operation, which this is.
  const answer = (read ??
    (await send(command, place, parameters, fields, keyOf(command, call.flags)).catch(
      namingNear(command, call.flags, place),
    ))) as AnyAnswer;
  const warning = command.warns?.(answer);
  if (warning) call.print.warn(warning);
  return outcomeOf(command, call.flags, answer, place, subject);
}

const keyOf = ({ takesKey }: OperationCommand, flags: Fields) =>
  takesKey ? textOf(flags, "idempotency-key") : undefined;

type Place = Pick<InProject, "client"> & Partial<InProject>;

async function reach(command: OperationCommand, call: AnyCall): Promise<Place> {
  const { asks } = command;
  if (asks !== undefined) {
    const { client, announce } = await reachDeployment(call);
    announce(typeof asks === "string" ? asks : asks(call.flags));
    return { client };
  }
  // Every command of a project has the flag: it was declared, or came by itself.
  const inside = call as AnyCall & { flags: { project: string | undefined } };
  return command.needsNamedProject ? inNamedProject(inside) : inProject(inside);
}

function textOf(flags: Fields, name: string): string | undefined {
  const value = typed(flags, name);
  return typeof value === "string" ? value : undefined;
}

/** The one typed, by its name or its old one. */
function selectorOf(flags: Fields, name: string, oldSpelling: string | undefined): string {
  const now = textOf(flags, name);
  const old = oldSpelling === undefined ? undefined : textOf(flags, oldSpelling);
  if (now !== undefined && old !== undefined) {
    throw usageError(`--${oldSpelling} is the old spelling of --${name}; use one of them.`);
  }
  const selector = now ?? old;
  if (selector === undefined) throw usageError(`--${name} is required.`);
  return selector;
}

function requireParameters(command: OperationCommand, flags: Fields): void {
  for (const [name, flag] of declaredFlags(command)) {
    if ("parameter" in flag) selectorOf(flags, name, flag.oldSpelling);
  }
}

/** The document first, flags over it, then what the command itself makes of them. Nothing is asked of anybody here. */
async function readFields(command: OperationCommand, call: AnyCall): Promise<Fields> {
  const { flags } = call;
  const rows = fieldRows(command.operation);
  const fields: Fields = {};
  if (command.document) {
    const document = await readDocument(call.input, {
      file: textOf(flags, "file"),
      json: textOf(flags, "json"),
    });
    if (document)
      Object.assign(fields, command.document === "whole body" ? document : { [command.document]: document });
  }
  for (const [name, flag] of declaredFlags(command)) {
    const value = typed(flags, name);
    if ("clears" in flag && value === true) {
      const filler = flagOfField(command, flag.clears);
      if (filler !== undefined && typed(flags, filler) !== undefined) {
        throw usageError(`Use --${filler} or --${name}, not both.`);
      }
      fields[flag.clears] = null;
    }
    if (!("field" in flag) || value === undefined || value === false) continue;
    const isList = rows[flag.field]?.kind === "list";
    if (Array.isArray(value) && value.length === 0) continue;
    fields[flag.field] = isList && typeof value === "string" ? listed(value) : value;
  }
  const whole = command.body ? await command.body(call, fields) : fields;
  requireFields(command, whole);
  return whole;
}

function listed(typed: string): string[] {
  return typed
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}

function requireFields(command: OperationCommand, fields: Fields): void {
  if (command.document === "whole body") {
    for (const [field, { required }] of Object.entries(fieldRows(command.operation))) {
      const flag = flagOfField(command, field);
      if (required && flag !== undefined && fields[field] === undefined) {
        throw usageError(`--${flag} is required, here or in the document.`);
      }
    }
  }
  if (!command.changes || Object.keys(fields).some((field) => fields[field] !== undefined && !isGuard(field)))
    return;
  const flags = declaredFlags(command)
    .filter(([, flag]) => !("parameter" in flag) && !("field" in flag && isGuard(flag.field)))
    .map(([name]) => `--${name}`)
    .filter((name) => name !== "--project");
  if (command.document) flags.push("--file", "--json");
  throw usageError(`Say what to change: ${flags.slice(0, -1).join(", ")} or ${flags.at(-1)}.`);
}

/** What is about to be deleted, by the name it has even where an id was typed. */
async function subjectOf(
  command: OperationCommand,
  flags: Fields,
  place: Place,
  subject: Named["subject"],
): Promise<{ id?: string; name: string }> {
  for (const [name, flag] of declaredFlags(command)) {
    if (!("parameter" in flag) || !flag.foundByApi) continue;
    const find = await finderOf(flag.foundByApi, place);
    const { id, name: itsName } = await find(selectorOf(flags, name, flag.oldSpelling));
    return { id, name: itsName ?? id };
  }
  return must(subject, "what is deleted: named by a parameter, or the project");
}

/** The command as it was typed, with the word that was missing. */
function confirmedCommand({ name }: Pick<OperationCommand, "name">, { flags }: AnyCall): string {
  const words = Object.entries<unknown>(flags).flatMap(([key, value]) => {
    const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === undefined || value === false) return [];
    return value === true ? [flag] : [value].flat().flatMap((one) => [flag, String(one)]);
  });
  return shellWords(["fettle", ...name.split(" "), ...words, "--yes"]);
}

/** The same failure, or one that names the near ones where a name was not known. */
function namingNear(command: OperationCommand, flags: Fields, place: Place) {
  return async (error: unknown): Promise<never> => {
    if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
    for (const [name, flag] of declaredFlags(command)) {
      if (!("parameter" in flag) || !flag.foundByApi) continue;
      await (await finderOf(flag.foundByApi, place))(selectorOf(flags, name, flag.oldSpelling));
    }
    throw error;
  };
}

interface Named {
  parameters: Record<string, string>;
  /** What the command is about, for when the answer no longer says. */
  subject: { id?: string; name: string } | undefined;
  /** The answer, where finding it was reading it. */
  read: unknown;
}

async function findNamed(
  command: OperationCommand,
  flags: Fields,
  fields: Fields,
  place: Place,
): Promise<Named> {
  const named: Named = { parameters: {}, subject: place.project, read: undefined };
  for (const [name, flag] of declaredFlags(command)) {
    if ("parameter" in flag) {
      const selector = selectorOf(flags, name, flag.oldSpelling);
      const found = flag.find && (await finderOf(flag.find, place))(selector);
      const thing = await found;
      named.parameters[flag.parameter] = thing?.id ?? selector;
      named.subject = { name: thing?.name ?? selector, ...(thing && { id: thing.id }) };
      if (flag.find && readByFinding[command.operation] === flag.find) named.read = thing;
    } else if ("field" in flag && flag.find && fields[flag.field] != null) {
      const find = await finderOf(flag.find, place);
      const selectors = [fields[flag.field]].flat() as string[];
      const ids: string[] = [];
      for (const selector of selectors) ids.push((await find(selector)).id);
      fields[flag.field] = Array.isArray(fields[flag.field]) ? ids : ids[0];
    }
  }
  for (const [path, noun] of Object.entries(command.findsDeep ?? {}))
    await findDeep(fields, path, noun, place);
  return named;
}

/** @example await findDeep({ environment: { image: "desk" } }, "environment.image", "image", place) */
async function findDeep(fields: Fields, path: string, noun: Noun, place: Place): Promise<void> {
  const last = path.replace(/^.*\./, "");
  let around: unknown = fields;
  for (const step of path.split(".").slice(0, -1)) around = (around as Fields | undefined)?.[step];
  const selector = (around as Fields | undefined)?.[last];
  if (typeof selector !== "string") return;
  (around as Fields)[last] = (await (await finderOf(noun, place))(selector)).id;
}

function finderOf(
  noun: keyof typeof finders,
  place: Place,
): Promise<(selector: string) => Found | Promise<Found>> {
  // Whatever has a name has it in a project, so such a command is in one.
  return finders[noun](place as InProject);
}

type Send = (
  input: Record<string, unknown>,
  options?: { idempotencyKey?: string | undefined },
) => Promise<unknown>;

/** A list with all its pages, unless one of them was asked for. */
async function send(
  command: OperationCommand,
  { client, projectId }: Place,
  parameters: Record<string, string>,
  fields: Fields,
  idempotencyKey: string | undefined,
): Promise<unknown> {
  const rows = fieldRows(command.operation);
  const isQuery = (field: string) => rows[field]?.in === "query";
  const query = Object.fromEntries(Object.entries(fields).filter(([field]) => isQuery(field)));
  const body = Object.fromEntries(Object.entries(fields).filter(([field]) => !isQuery(field)));
  const takesBody = Object.keys(rows).some((field) => !isQuery(field)) || Object.keys(body).length > 0;
  // The declaration's types hold flags to the operation; here all operations are the same.
  const call = client[command.operation] as Send;
  const input = { ...parameters, ...(projectId !== undefined && { projectId }), ...(takesBody && { body }) };
  const first = await call({ ...input, query }, idempotencyKey === undefined ? {} : { idempotencyKey });
  if (!isPage(first) || query.cursor !== undefined || query.limit !== undefined) return first;
  const items = [...first.items];
  let last = first;
  while (last.nextCursor !== undefined) {
    const { nextCursor } = last;
    const next = await call({ ...input, query: { ...query, cursor: nextCursor } });
    if (!isPage(next)) return first;
    items.push(...next.items);
    // A cursor that leads to itself would be followed for ever.
    if (next.nextCursor === nextCursor) break;
    last = next;
  }
  const { nextCursor: _, ...rest } = first;
  return { ...rest, items };
}

interface Page {
  items: unknown[];
  nextCursor?: string;
}

function isPage(answer: unknown): answer is Page {
  return typeof answer === "object" && answer !== null && "items" in answer && Array.isArray(answer.items);
}

async function outcomeOf(
  command: OperationCommand,
  flags: Fields,
  answer: AnyAnswer,
  { scope }: Place,
  subject: Named["subject"],
): Promise<Outcome> {
  const { shows } = command;
  const around = { ...(scope && { project: scope.project }), ...(subject && { subject }) };
  const exitCode = command.exitCode?.(answer, flags);
  const next = command.next?.(answer);
  const whole: unknown = answer;
  const value = command.value
    ? command.value(answer, around)
    : isPage(whole) && scope
      ? { project: scope.project, ...whole, otherProjects: scope.otherProjects }
      : whole;
  const outcome = (human: Outcome["human"]): Outcome => ({
    value,
    human,
    ...(exitCode !== undefined && { exitCode }),
    ...(next !== undefined && { hint: style.cyan(next) }),
  });
  if (shows === "outline") return outcome(() => outline(answer));
  if ("load" in shows) {
    const write = await shows.load();
    return outcome(() => write(answer));
  }
  if ("text" in shows) return outcome(() => shows.text(answer, around));
  if ("done" in shows) return outcome(() => doneText(shows, answer, subject));
  return outcome(({ width }) =>
    tableText(shows, answer as Page, shows.namesProject && scope?.project.name, width),
  );
}

function doneText(
  { done, and = "" }: { done: string; and?: string },
  answer: unknown,
  subject: Named["subject"],
): Text {
  const { id, name } = { ...subject, ...(answer as { id?: string; name?: string }) };
  return text`${style.green("✓")} ${done} ${style.bold(name ?? id ?? "")} ${style.dim(`(${id})`)}${and}`;
}

function tableText(
  { table: columns, noun, shrinks }: Extract<OperationCommand["shows"], { table: unknown }>,
  { items, nextCursor }: Page,
  projectName: string | undefined,
  width: number,
): Text {
  const where = projectName === undefined ? "" : text` in ${style.bold(projectName)}`;
  if (items.length === 0) return text`No ${pluralOf(noun)}${where}.`;
  const headers = Object.keys(columns);
  const rows = items.map((item) =>
    Object.entries(columns).map(([header, made]) => cellOf(header, made, item)),
  );
  const shown = headers.map((header, index) => ({
    header,
    shrinks: shrinks.includes(header),
    align: rows.every((row) => typeof row[index] === "number") ? ("right" as const) : ("left" as const),
  }));
  return lines([
    table(shown, rows, width),
    text`\n${count(items.length, noun)}${where}${nextCursor === undefined ? "" : ", and more"}`,
  ]);
}

function cellOf(header: string, made: string | ((item: never) => Writable), item: unknown): Writable {
  // The declaration's types allow only fields that hold a text or a number.
  const cell = typeof made === "string" ? (item as Record<string, Writable>)[made] : made(item as never);
  // An answer may leave a field out.
  return header === "NAME" ? style.bold(cell ?? "") : (cell ?? "");
}
