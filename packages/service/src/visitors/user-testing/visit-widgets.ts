/** @module Widgets in a visitor's conversation: what one needs to draw the result of a call, and what it may ask its server for. */
import { toolUiOf } from "@fettle/checks";
import { ApiError, type ChatSessionId, type ChatTurnId, limits } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { VisitWidget, VisitWidgetAsk } from "@fettle/contract/visitors";
import { decideCall, type ServerLink, SetupFailure } from "@fettle/evals";
import { isObject, type JsonObject } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { createRunServers } from "../../environments/targets/run-servers.ts";
import { toldFailure } from "../../servers/live/failure.ts";
import { readDocument, requireMember } from "../../servers/live/read-document.ts";
import { widgetOrigins } from "../../servers/widgets/origins.ts";
import { widgetPlace } from "../../servers/widgets/place.ts";
import { renderWidget } from "../../servers/widgets/widgets.ts";
import type { Settled } from "../chat/settled.ts";
import * as chat from "../chat/store.ts";
import { requirePace } from "./pace.ts";
import { turnedAway } from "./refuse.ts";
import * as sessions from "./session-store.ts";
import { type WidgetCall, widgetCallIn } from "./visit-calls.ts";
import { noSession, requireOpen } from "./visit-sessions.ts";
import { forVisitor } from "./visit-turn.ts";
import type { Present } from "./visits.ts";

interface Asking {
  sessionId: ChatSessionId;
  turnId: ChatTurnId;
  toolCallId: string;
  ip: string;
  signal: AbortSignal;
}

interface Shown {
  call: WidgetCall;
  settled: Settled;
}

/** A call of one's own conversation; whatever else is asked for is not there. */
async function findShown(
  app: App,
  present: Present,
  { sessionId, turnId, toolCallId, ip }: Asking,
): Promise<Shown> {
  const found = await sessions.findOwn(app.db, present.visitor.id, sessionId);
  const turn = found && (await chat.findTurn(app.db, sessionId, turnId));
  if (!turn) throw noSession();
  requireOpen(app, present, found.session);
  const call = widgetCallIn(turn, toolCallId);
  if (!call) throw turnedAway("NOT_FOUND", "NO_WIDGET");
  if (!widgetOrigins(app.config)) throw turnedAway("FEATURE_NOT_SUPPORTED", "NO_WIDGET");
  await requirePace(app, present, ip, "widget");
  return { call, settled: chat.settledOf(found.chat) };
}

/** Connected as the conversation's turns are; what the server repeats of how it was reached is taken out of what it says. */
async function withServer<Told>(
  app: App,
  { visitor, scenario }: Present,
  { call, settled }: Shown,
  { sessionId, signal }: Asking,
  work: (link: ServerLink, hide: <Value>(value: Value) => Value) => Promise<Told>,
): Promise<Told> {
  const { config } = settled.target;
  const server = settled.target.servers.find(({ id }) => id === call.serverId);
  if (!server) throw turnedAway("NOT_FOUND", "NO_WIDGET");
  const servers = createRunServers(app, {
    projectId: scenario.projectId,
    userId: visitor.userId,
    // The model is not shown what is for widgets alone; a widget is.
    target: {
      ...settled.target,
      servers: [server],
      ...(config && { config: { ...config, respectToolVisibility: false } }),
    },
    callMs: limits.userTesting.turnMs,
  });
  try {
    await using opened = await servers.connect(0, signal);
    return servers.hide(await work(must(opened.links[0], "a link for the one server"), servers.hide));
  } catch (error) {
    const told = toldFailure(error instanceof SetupFailure ? error.cause : error, server);
    throw told instanceof ApiError ? await forVisitor(app, sessionId, told) : told;
  } finally {
    await servers.close();
  }
}

export async function renderVisitWidget(app: App, present: Present, asking: Asking): Promise<VisitWidget> {
  const shown = await findShown(app, present, asking);
  const { call, settled } = shown;
  return withServer(app, present, shown, asking, async ({ connection, tools }, hide) => {
    const tool = tools.find(({ name }) => name === call.toolName);
    const { mcp, openai } = (tool && toolUiOf(tool)?.uris) ?? {};
    const resourceUri = mcp ?? openai;
    if (!tool || resourceUri === undefined) throw turnedAway("NOT_FOUND", "NO_WIDGET");
    const place = widgetPlace(app, { serverId: call.serverId, looking: { visitorId: present.visitor.id } });
    const rendered = await renderWidget(place, { resourceUri }, async () =>
      hide(await readDocument(connection, resourceUri, asking.signal)),
    );
    return {
      rendered,
      tool,
      tools: tools.map(callableOf),
      arguments: call.input as VisitWidget["arguments"],
      result: call.output as VisitWidget["result"],
      asksBeforeCalls: settled.asksBeforeCalls,
    };
  });
}

/** As much as decides whether a widget may call it. */
function callableOf({ name, annotations, _meta }: JsonObject & { name: string }) {
  const ui = isObject(_meta) && isObject(_meta.ui) ? _meta.ui : {};
  return {
    name,
    ...(annotations !== undefined && { annotations }),
    ...(ui.visibility !== undefined && { _meta: { ui: { visibility: ui.visibility } } }),
  };
}

/** Whatever the scenario lets its model do: nobody is there to say what a widget may change. */
const policy = { mode: "readOnly" } as const;

export async function askForVisitWidget(
  app: App,
  present: Present,
  asking: Asking,
  { asked }: VisitWidgetAsk,
): Promise<Record<string, unknown>> {
  const shown = await findShown(app, present, asking);
  const { call } = shown;
  const { signal } = asking;
  if (asked.name === "readResource" && !isOfWidget(call, asked.input.uri)) {
    throw turnedAway("FORBIDDEN", "WIDGET_OTHER_DOCUMENT");
  }
  return withServer(app, present, shown, asking, async ({ name: server, connection, tools }) => {
    if (asked.name === "readResource") {
      return requireMember(await connection.readResource(asked.input.uri, { signal }), "contents");
    }
    const { toolName: name, parameters = {} } = asked.input;
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw turnedAway("FORBIDDEN", "WIDGET_TOOL_MISSING");
    if (!decideCall(policy, { server, name, tool }).allowed) {
      throw turnedAway("FORBIDDEN", "WIDGET_ONLY_READS");
    }
    return connection.callTool(name, parameters, { signal });
  });
}

/** What a server keeps for its widgets, and what the result itself points at; its other documents are no part of the test. */
function isOfWidget({ output }: WidgetCall, uri: string): boolean {
  const blocks = Array.isArray(output.content) ? output.content.filter(isObject) : [];
  return (
    uri.startsWith("ui://") ||
    blocks.some((block) => block.uri === uri || (isObject(block.resource) && block.resource.uri === uri))
  );
}
