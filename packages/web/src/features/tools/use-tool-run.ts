/** @module Running one tool: checked first, sent once however often it is pressed, followed until it ends. */
import type { ProjectServer } from "@fettle/contract/servers";
import { useRef, useState, useSyncExternalStore } from "react";
import type { Tool } from "../../api/listed-tools.ts";
import { type CallTask, cancelAsk, newAskId, type Progress } from "../../api/server-asks.ts";
import type { SchemaFault, ValueCheck } from "../../kit/check-schema.ts";
import type { JsonObject } from "../../lib/json-exact.ts";
import { checkArguments } from "./check-arguments.ts";
import { callTool } from "./queries.ts";
import { answered, beginCall, callsOf, endCall, failed, noteRunning } from "./tool-calls.ts";

export function useToolRun(
  server: ProjectServer,
  tool: Tool,
  value: JsonObject,
  { limitMs, asTask, onSent }: { limitMs: number | undefined; asTask: boolean; onSent: () => void },
) {
  const calls = useSyncExternalStore(callsOf(server.id).subscribe, callsOf(server.id).get);
  const latest = calls.find(({ toolName }) => toolName === tool.name);
  const address = { projectId: server.projectId, serverId: server.id };
  /** Set by the press itself: what the page shows of it comes too late for a second one. */
  const isPressed = useRef(false);
  const [doubts, setDoubts] = useState<SchemaFault[]>([]);
  const [check, setCheck] = useState<ValueCheck>();

  const once = async (work: () => Promise<void>) => {
    if (isPressed.current) return;
    isPressed.current = true;
    await work().finally(() => {
      isPressed.current = false;
    });
  };
  const call = async () => {
    setDoubts([]);
    onSent();
    const askId = newAskId();
    const id = beginCall(server.id, tool.name, value, askId);
    const onProgress = (progress: Progress) => noteRunning(server.id, id, { progress });
    const onTask = (task: CallTask) => noteRunning(server.id, id, { task });
    try {
      const { result, durationMs } = await callTool(address, tool.name, value, {
        askId,
        limitMs,
        asTask,
        onProgress,
        onTask,
      });
      endCall(server.id, id, answered(result, durationMs));
    } catch (error) {
      endCall(server.id, id, failed(error));
    }
    // An answer is longer than the word that it is waited for: only now is there enough to be brought up.
    onSent();
  };
  const cancel = async () => {
    if (latest?.outcome.state !== "running") return;
    noteRunning(server.id, latest.id, { isCancelling: true });
    await cancelAsk(address, latest.outcome.askId);
  };
  return {
    latest,
    doubts,
    check,
    isRunning: latest?.outcome.state === "running",
    /** The schema's word is advice: wrong input may be just what someone wants to try. */
    run: () =>
      once(async () => {
        setCheck(undefined);
        const found = await checkArguments(tool.inputSchema, value);
        setCheck(found.check);
        setDoubts(found.doubts);
        if (found.doubts.length === 0) await call();
      }),
    sendAnyway: () => once(call),
    cancel,
    /** Another value was typed: what was said of the last one no longer holds. */
    forget: () => {
      setDoubts([]);
      setCheck(undefined);
    },
  };
}
