/** @module Looking at a server's pipes: what else it writes there, and whether it leaves when they close. */
import {
  type Inbound,
  type JsonObject,
  McpError,
  openRawStdio,
  type RawStdio,
  Recorder,
  type StdioTarget,
} from "@fettle/mcp";
import { isAnswer } from "../conversation/exchange.ts";
import { prepared } from "../conversation/talk.ts";
import { isStdioTalk } from "../conversation/talk-stdio.ts";
import { namesOf } from "../lists/observe.ts";
import type { ObserversOf, RunContext } from "../run-context.ts";

export interface StdioSeen {
  /** Everything on stdout of the main conversation. */
  stdout: readonly Inbound[];
  /** A process of its own, up to its end. */
  aside: {
    /** What it said after a notification that no server knows, until its answer to the request that followed; undefined when that did not come. */
    afterNotification?: readonly Inbound[];
    /** How it ended after its stdin was closed. */
    shutdown: { exitCode: number | null; signal: string | null };
  };
  /** What came of a call after it was cancelled half-way, and surely read to be; undefined without a tool that can be seen at work. */
  cancelledCall: { further?: Inbound } | undefined;
}

declare module "../seen.ts" {
  interface ProtocolSeen extends StdioSeen {}
}

const slowTool = "test_tool_with_progress";
const cancelledId = "fettle-cancelled";
/** Far longer than the fixture would have gone on. */
const silenceMs = 500;

/** A request that every server answers, in its era; by this id its answer is known. */
const lastId = "fettle-after-notification";
const firstId = "fettle-first";
const patienceMs = 5_000;

export function stdioObservers({ talk, target, facts }: RunContext): ObserversOf<StdioSeen> {
  const enveloped = (method: string) => {
    const { params } = prepared(facts, method, undefined, {});
    return { method, ...(params && { params }) };
  };
  const cancelHalfWay = async (process: RawStdio): Promise<StdioSeen["cancelledCall"]> => {
    const say = (message: JsonObject) => process.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const answered = (id: string) => (message: Inbound) => isAnswer(message) && message.id === id;
    const isOfCall = (message: Inbound) =>
      answered(cancelledId)(message) ||
      (message.kind === "notification" && message.params.progressToken === cancelledId);
    const wait = { timeoutMs: patienceMs };
    // In the stateless era the first request decides how the process takes the rest.
    await say({ id: firstId, ...enveloped("server/discover") });
    await process.next(answered(firstId), wait);
    const call = { name: slowTool, arguments: {} };
    const { params } = prepared(facts, "tools/call", call, { meta: { progressToken: cancelledId } });
    await say({ id: cancelledId, method: "tools/call", ...(params && { params }) });
    if (isAnswer(await process.next(isOfCall, wait))) return undefined;
    await say({ method: "notifications/cancelled", params: { requestId: cancelledId } });
    // What was under way may still come; once this is answered, the notification before it was read.
    await say({ id: lastId, ...enveloped("server/discover") });
    await process.next(answered(lastId), wait);
    const from = process.heard.length;
    const further = await process.next(isOfCall, { timeoutMs: silenceMs, from }).catch(() => undefined);
    return further ? { further } : {};
  };
  return {
    cancelledCall: async (look) => {
      const tools = namesOf(await look("tools"));
      if (!(await look("hasContract")) || !tools.includes(slowTool)) return undefined;
      const process = await openRawStdio(target as StdioTarget, { recorder: new Recorder() });
      try {
        return await cancelHalfWay(process);
      } finally {
        await process.close();
      }
    },
    stdout: async (look) => {
      await Promise.allSettled([look("opening"), look("tools")]);
      if (isStdioTalk(talk)) return talk.raw.heard;
      throw new McpError("NOT_SUPPORTED", "This needs stdio.");
    },
    aside: async (look) => {
      await look("opening");
      const recorder = new Recorder();
      const process = await openRawStdio(target as StdioTarget, { recorder });
      // It must have started before it can be seen to stop.
      const isUp = process.next(() => true, { timeoutMs: patienceMs });
      const say = (message: JsonObject) =>
        process.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      const params = {
        protocolVersion: facts.version,
        capabilities: {},
        clientInfo: { name: "fettle", version: "1" },
      };
      const isStateful = facts.era === "stateful";
      // In the stateless era the first request decides how the process takes the rest.
      const { method, ...first } = isStateful
        ? { method: "initialize", params }
        : enveloped("server/discover");
      await say({ id: firstId, method, ...first });
      await isUp.catch(() => {});
      if (isStateful) await say({ method: "notifications/initialized" });
      const heardBefore = process.heard.length;
      await say({ ...enveloped("notifications/fettle-no-such-notification") });
      // What it answered before, so that one silent method leaves one check undecided and not two.
      const offersTools = await look("tools").then(
        (list) => namesOf(list).length > 0,
        () => false,
      );
      const known = isStateful ? (offersTools ? "tools/list" : "ping") : "server/discover";
      await say({ id: lastId, ...enveloped(known) });
      const isLast = (message: Inbound) => isAnswer(message) && message.id === lastId;
      const isAnswered = await process.next(isLast, { timeoutMs: patienceMs }).then(
        () => true,
        () => false,
      );
      // Answers to the two requests, late or twice, are no answers to the notification.
      const isOther = (message: Inbound) =>
        isAnswer(message) && (message.id === firstId || message.id === lastId);
      const afterNotification = process.heard.slice(heardBefore).filter((message) => !isOther(message));
      await process.close();
      const { details } = recorder
        .read()
        .entries.findLast((entry) => entry.kind === "note" && entry.note === "exited") as {
        details?: StdioSeen["aside"]["shutdown"];
      };
      const shutdown = details ?? { exitCode: null, signal: null };
      return { shutdown, ...(isAnswered && { afterNotification }) };
    },
  };
}
