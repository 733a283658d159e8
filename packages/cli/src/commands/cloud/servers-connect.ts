/** @module `fettle cloud projects servers connect`: asks to bring a server in, hands the person the link, and watches how it goes. */
import { setTimeout as delay } from "node:timers/promises";
import type { ApiClient } from "@fettle/contract/client";
import { ApiError, exitCodes, limits } from "@fettle/contract/core";
import { only } from "@fettle/contract/formats";
import type { ServerConnection } from "@fettle/contract/servers";
import { canOpenBrowser, openBrowser } from "../../browser/open-browser.ts";
import { usageError } from "../../cli-error.ts";
import { asConnectError, isOver, requestText, statusWords } from "../../cloud/connection-request.ts";
import { isProjectNamed } from "../../cloud/named-project.ts";
import { type ReachedDeployment, reachDeployment } from "../../cloud/reach-deployment.ts";
import { findSelectedProject } from "../../cloud/selected-project.ts";
import { untilInterrupted } from "../../interrupts.ts";
import type { Outcome } from "../../output/printer.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { serversConnectFlags } from "./servers-flags.ts";

type ConnectCall = Call<typeof serversConnectFlags, NoArguments>;

const patientFailures = 3;
const pollMs = { first: 2_000, growth: 1.5, most: 10_000 };

export async function run(call: ConnectCall): Promise<Outcome> {
  const { url, server: serverId, name, reauthorize, noWait } = call.flags;
  requireAddress(url);
  const deployment = await reachDeployment(call);
  const { client } = deployment;
  const projectId = await chooseProject(call, deployment);
  if (serverId !== undefined && projectId === undefined) {
    throw usageError("--server needs the project it is saved in: --project, FETTLE_PROJECT, or a link.");
  }
  const { email } = await client.getMe();
  const request = await client
    .createServerConnection({
      body: {
        url,
        ...(projectId !== undefined && { projectId }),
        ...(serverId !== undefined && { serverId }),
        ...(name !== undefined && { name }),
        ...(reauthorize && { reauthorize }),
      },
    })
    .catch((error: unknown) => {
      throw asConnectError(error);
    });
  const link = handOver(call, email);
  if (noWait) {
    link.show(request);
    return { ...outcomeOf(request), exitCode: exitCodes.ok };
  }
  const last = await watch(call, client, request, link);
  return outcomeOf(last);
}

function requireAddress(url: string): void {
  const parsed = URL.parse(url);
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return;
  throw usageError(`--url takes an http or https address, not "${url}".`);
}

/** The one that was named, or the only one there is. With several and none named, the page asks. */
async function chooseProject(call: ConnectCall, deployment: ReachedDeployment): Promise<string | undefined> {
  if (await isProjectNamed(call)) {
    const { project } = await findSelectedProject(call, deployment, { flag: call.flags.project });
    return project.id;
  }
  deployment.announce("project: your only one, else chosen on the page");
  const { items } = await deployment.client.listProjects();
  return only(items)?.id;
}

interface Handover {
  /** Prints the link, once, when there is one. */
  show(request: ServerConnection): void;
  /** Prints it and opens it. */
  open(request: ServerConnection): void;
}

/** Nothing goes on without the link, so it is printed with --quiet too. */
function handOver(call: ConnectCall, account: string): Handover {
  let isShown = false;
  const show = ({ handoffUrl: url }: ServerConnection) => {
    if (isShown || url === undefined) return undefined;
    isShown = true;
    call.print.prompt(text`Private link for ${style.bold(account)}, who must be signed in there:\n${url}`);
    return new URL(url);
  };
  return {
    show,
    open: (request) => {
      const url = show(request);
      if (url && !call.flags.noBrowser && canOpenBrowser(call.world)) openBrowser(url);
    },
  };
}

/** Looks until it is over, it can no longer be open, or the person has seen enough. */
async function watch(
  call: ConnectCall,
  client: ApiClient,
  request: ServerConnection,
  link: Handover,
): Promise<ServerConnection> {
  const over = new AbortController();
  const givenUp = new AbortController();
  untilInterrupted(over.signal).then(() => givenUp.abort());
  const expiresAt = Date.parse(request.expiresAt) || call.world.now() + limits.connections.lifetimeMs;
  let last = request;
  let failures = 0;
  /** A service that is away for a moment loses no request; one that stays away is told. */
  const look = async (requestId: string): Promise<ServerConnection | undefined> => {
    try {
      const seen = await client.getServerConnection({ requestId });
      failures = 0;
      return seen;
    } catch (error) {
      const mayPass = error instanceof ApiError && (error.status === 0 || error.status >= 500);
      if (!mayPass || ++failures >= patientFailures) throw error;
      return undefined;
    }
  };
  link.open(request);
  let wait = pollMs.first;
  let done = call.print.progress(waitingFor(last));
  try {
    while (!isOver(last.status) && !givenUp.signal.aborted && call.world.now() < expiresAt + pollMs.most) {
      await delay(wait, undefined, { signal: givenUp.signal }).catch(() => {});
      if (givenUp.signal.aborted) break;
      wait = Math.min(wait * pollMs.growth, pollMs.most);
      const seen = await look(last.connectionRequestId);
      if (!seen) continue;
      if (seen.status !== last.status) {
        done();
        link.open(seen);
        done = isOver(seen.status) ? () => {} : call.print.progress(waitingFor(seen));
      }
      last = seen;
    }
  } finally {
    done();
    over.abort();
  }
  if (!isOver(last.status)) call.print.note("Not watched any more; the request goes on.");
  return last;
}

function waitingFor({ status }: ServerConnection) {
  return text`${statusWords(status)} ... ${style.dim("(Ctrl-C stops watching)")}`;
}

function outcomeOf(request: ServerConnection): Outcome {
  const { connectionRequestId, status, serverId, projectId } = request;
  const server = serverId ?? "";
  return {
    value: request,
    human: () => requestText(request),
    hint:
      status === "ready"
        ? style.cyan(`fettle cloud projects servers get --server ${server} --project ${projectId}`)
        : isOver(status)
          ? undefined
          : style.cyan(`fettle cloud projects servers connect-status --request ${connectionRequestId}`),
    exitCode: status === "ready" ? exitCodes.ok : exitCodes.failed,
  };
}
