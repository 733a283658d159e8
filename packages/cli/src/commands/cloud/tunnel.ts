/** @module `fettle cloud tunnel`: opens the tunnel, says where it is, and keeps it until told to stop. */
import { resolve } from "node:path";
import { maskUrl, redactArgv } from "@fettle/contract/secrets";
import { droppedNotice, type TunnelGrant } from "@fettle/contract/servers";
import { killSpawnedProcesses, parseTarget, type Target } from "@fettle/mcp";
import { usageError } from "../../cli-error.ts";
import { parseApiHeaders } from "../../cloud/api-headers.ts";
import { type InProject, inProject } from "../../cloud/in-project.ts";
import { asCliError, asUsageError } from "../../connection/failure.ts";
import { readVariable } from "../../connection/target.ts";
import { untilInterrupted } from "../../interrupts.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call } from "../../program/command.ts";
import { httpUpstream, whyUnreachable } from "../../tunnel/http-upstream.ts";
import { keepOpen } from "../../tunnel/keep-open.ts";
import { tunnelLog } from "../../tunnel/log.ts";
import { connectRelay } from "../../tunnel/relay-socket.ts";
import { openStdioUpstream } from "../../tunnel/stdio-upstream.ts";
import type { Upstream } from "../../tunnel/upstream.ts";
import type { tunnelArguments, tunnelFlags } from "./flags.ts";

type TunnelCall = Call<typeof tunnelFlags, typeof tunnelArguments>;

/** How long the service may take to hear that the tunnel is over. */
const closeMs = 5_000;

export async function run(call: TunnelCall): Promise<undefined> {
  const name = nameOf(call.flags);
  const target = targetOf(call);
  // Heard from the beginning, so that nothing is left behind when the start is interrupted.
  const interrupted = untilInterrupted();
  const log = tunnelLog(call.print, call.world.now);
  const place = await inProject(call);
  const upstream = await openUpstream(call, target, log);
  try {
    await tunnel(call, { name, target, upstream, place, interrupted, log });
  } finally {
    await upstream.close();
    killSpawnedProcesses();
  }
}

interface Parts {
  name: string;
  target: Target;
  upstream: Upstream;
  place: InProject;
  interrupted: Promise<void>;
  log: ReturnType<typeof tunnelLog>;
}

async function tunnel(call: TunnelCall, { name, target, upstream, place, interrupted, log }: Parts) {
  const { client, projectId } = place;
  const headers = parseApiHeaders(call.credentials.apiHeader, call.world.env.FETTLE_API_HEADERS);
  const create = () => client.createTunnel({ projectId, body: { name } });
  const grant = await create();
  const close = () =>
    client.closeTunnel({ projectId, serverId: grant.serverId }, { timeoutMs: closeMs }).catch(() => {
      call.print.warn("The service could not be told; the address stays known there, but leads nowhere.");
    });
  const opening = keepOpen({
    grant,
    connect: (current) => connectRelay(current, { upstream, headers, onServed: log.served }),
    renew: create,
    onNews: log.news,
  });
  const first = await Promise.race([opening, interrupted]);
  if (!first) {
    opening.then((late) => late.close()).catch(() => {});
    await close();
    return;
  }
  call.print.result(startUp(grant, place, target));
  const notice = droppedNotice(grant.credentialsDropped);
  if (notice) call.print.warn(notice);
  call.print.note("Whoever has this address can use the server. Ctrl-C closes it.");
  const failure = await Promise.race([first.ended, interrupted]);
  if (failure) throw failure;
  call.print.note("Closing the tunnel.");
  await close();
  first.close();
}

function nameOf({ server, id }: TunnelCall["flags"]): string {
  if (server !== undefined && id !== undefined) throw usageError("--id is another spelling of --server.");
  const name = server ?? id;
  if (name === undefined) throw usageError("--server is required: the name to register the server under.");
  return name;
}

function targetOf({ flags, arguments: { target: words }, world }: TunnelCall): Target {
  const [first, ...rest] = words;
  const hint = "An address (http://localhost:3001/mcp), or a command after -- (-- node server.js).";
  if (first === undefined) throw usageError("Say what to open the tunnel to.", { hint });
  const isAddress = /^https?:\/\//i.test(first);
  if (isAddress && rest.length > 0) throw usageError("Give an address or a command, not both.", { hint });
  if (isAddress && (flags.env.length > 0 || flags.cwd !== undefined)) {
    throw usageError("--env and --cwd only go with a command, and this is an address.");
  }
  try {
    if (isAddress) return parseTarget({ url: first });
    return parseTarget({
      command: first,
      args: rest,
      env: Object.fromEntries(flags.env.map(readVariable)),
      cwd: resolve(world.cwd, flags.cwd ?? "."),
    });
  } catch (error) {
    throw asUsageError(error);
  }
}

async function openUpstream(call: TunnelCall, target: Target, log: Parts["log"]): Promise<Upstream> {
  if (target.kind === "http") {
    const why = await whyUnreachable(target.url);
    if (why !== undefined)
      call.print.warn(`${why} The tunnel opens all the same; calls fail until it answers.`);
    return httpUpstream(target.url);
  }
  try {
    const upstream = await openStdioUpstream(target, log);
    const failure = await upstream.started();
    if (failure) throw failure;
    return upstream;
  } catch (error) {
    throw asCliError(error);
  }
}

function startUp(grant: TunnelGrant, { scope }: InProject, target: Target): Outcome {
  const { url, serverId, name, slug, existed, previousUrl, previousTransportType, secretVersion } = grant;
  const { credentialsDropped } = grant;
  const project = scope.project;
  return {
    value: {
      url,
      serverId,
      name,
      slug,
      project,
      existed,
      ...(previousUrl !== undefined && { previousUrl }),
      ...(previousTransportType !== undefined && { previousTransportType }),
      ...(credentialsDropped && { credentialsDropped }),
      secretVersion,
      target:
        target.kind === "http"
          ? { kind: "http", url: maskUrl(target.url) }
          : { kind: "stdio", command: target.command, args: redactArgv(target.args) },
    },
    human: () => {
      const was = previousUrl ?? (previousTransportType === "stdio" ? "a command" : undefined);
      const pointed = was === undefined ? "" : style.dim(`, which pointed at ${was}`);
      const how = existed ? text`${style.bold(name)}${pointed}` : text`${style.bold(name)}, a new server`;
      return lines([
        text`${style.green("✓")} ${style.cyan(url)}`,
        text`  registered as ${how} ${style.dim(`(${serverId})`)} in ${style.bold(project.name)}`,
      ]);
    },
  };
}
