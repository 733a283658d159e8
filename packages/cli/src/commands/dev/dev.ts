/** @module `fettle dev`: a server under work, looked at anew after each change of its files. */
import { existsSync, fstatSync, type Stats, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { killSpawnedProcesses } from "@fettle/mcp";
import { canOpenBrowser, openBrowser } from "../../browser/open-browser.ts";
import { usageError } from "../../cli-error.ts";
import { type Plan, planConnection } from "../../connection/open-server.ts";
import { createChecks } from "../../dev/checks.ts";
import { differenceOf, type Look, lookAt } from "../../dev/look.ts";
import { reportOf } from "../../dev/report.ts";
import { type FileWatch, watchFiles } from "../../dev/watch-files.ts";
import { stateFolder } from "../../files/home.ts";
import { findInspector, type Inspector, pageUrl } from "../../inspector/control.ts";
import { keepServer } from "../../inspector/keep-server.ts";
import { untilInterrupted } from "../../interrupts.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { devFlags } from "./flags.ts";

type DevCall = Call<typeof devFlags, NoArguments>;

/** How often a server that others restart is looked at. */
const pollMs = 2_000;

export async function run(call: DevCall): Promise<undefined> {
  const interrupted = untilInterrupted();
  const plan = await planConnection(call);
  if (plan.target.kind === "http" && call.flags.watch.length > 0) {
    throw usageError("--watch goes with a command, which is started anew; a server at an address is not.");
  }
  const stop = new AbortController();
  interrupted.then(() => stop.abort());
  await using stack = new AsyncDisposableStack();
  stack.defer(killSpawnedProcesses);
  const watch = watchOf(call, plan);
  if (watch) stack.defer(() => watch.close());
  const inspector = call.flags.noInspector ? undefined : await openInspector(call, plan, stack);
  await lookAgain(call, plan, { watch, inspector, stop: stop.signal });
}

interface Working {
  watch: FileWatch | undefined;
  inspector: Inspector | undefined;
  stop: AbortSignal;
}

async function lookAgain(call: DevCall, plan: Plan, { watch, inspector, stop }: Working): Promise<void> {
  const { print, world, flags } = call;
  const checks = createChecks(plan, {
    protocolVersion: flags.protocolVersion,
    stop,
    now: world.now,
    tell: (outcome) => print.result(outcome),
    warn: (message) => print.warn(message),
  });
  let before: Look | undefined;
  let files: string[] = [];
  for (let number = 0; ; ) {
    const after = await lookAt(plan, { protocolVersion: flags.protocolVersion, signal: stop }, before);
    if (stop.aborted) return;
    if (watch || !before || isOther(before, after)) {
      const at = new Date(world.now()).toISOString();
      print.result(reportOf({ number, files, at, before, after }));
      if (after.report.connection.status === "connected") checks.begin(number);
      number += 1;
    }
    before = after;
    const changed = watch ? await watch.next(stop) : await pause(stop);
    if (stop.aborted) return;
    if (watch) checks.giveUp();
    files = changed.map((file) => relative(world.cwd, file));
    // What the inspector has open is of the server as it was.
    if (watch && inspector) {
      await keepServer(inspector, plan.target, flags.serverName).catch(() =>
        print.warn("The inspector does not answer any more; the reports go on."),
      );
    }
  }
}

/** Whether there is anything to say of a server that was only looked at. */
function isOther(before: Look, after: Look): boolean {
  const { changes, checks, found, mended } = differenceOf(before, after);
  return [changes, checks, found, mended].some((list) => list.length > 0);
}

async function pause(stop: AbortSignal): Promise<string[]> {
  await delay(pollMs, undefined, { signal: stop }).catch(() => {});
  return [];
}

function watchOf({ flags, world }: DevCall, { target }: Plan): FileWatch | undefined {
  if (target.kind === "http") return undefined;
  const folder = resolve(world.cwd, target.cwd ?? ".");
  const roots = flags.watch.length > 0 ? flags.watch.map((path) => resolve(world.cwd, path)) : [folder];
  const missing = roots.find((root) => !existsSync(root));
  if (missing !== undefined) throw usageError(`There is nothing to watch at ${missing}.`);
  const own = stateFolder(world);
  const outputs = ownOutputs();
  return watchFiles(roots, (path) => path === own || path.startsWith(own + sep) || isOneOf(outputs, path));
}

/** The files that this command's words go to: a report written into the watched folder would lead to the next one. */
const ownOutputs = () => [1, 2].map((fd) => fstatSync(fd)).filter((stats) => stats.isFile());

function isOneOf(files: readonly Stats[], path: string): boolean {
  const seen = files.length === 0 ? undefined : statSync(path, { throwIfNoEntry: false });
  return seen !== undefined && files.some(({ dev, ino }) => dev === seen.dev && ino === seen.ino);
}

/** The one that runs, or one that ends with this command. */
async function openInspector(
  call: DevCall,
  { target }: Plan,
  stack: AsyncDisposableStack,
): Promise<Inspector> {
  const { world, print, flags } = call;
  let inspector = await findInspector(world, undefined);
  if (!inspector) {
    const { startInspector } = await import("@fettle/service/inspector");
    const running = await startInspector({ home: stateFolder(world) });
    stack.defer(() => running.stop());
    inspector = running.state;
  }
  const server = await keepServer(inspector, target, flags.serverName);
  const url = await pageUrl(inspector, `/p/proj_local/servers/${server.id}/tools`);
  const opens = !flags.noOpen && world.stdout.isTTY === true && canOpenBrowser({ env: world.env });
  if (opens) openBrowser(url);
  print.note(text`The inspector ${opens ? "was opened at" : "shows it at"} ${style.cyan(url.href)}`);
  return inspector;
}
