/** @module What the terminal tells an open page to do, and what became of it. */
import { randomUUID } from "node:crypto";
import {
  type InspectorAck,
  type InspectorCommand,
  type InspectorCommandAnswer,
  type InspectorFault,
  inspectorLimits,
} from "@fettle/contract/inspector";
import type { Tabs } from "./tabs.ts";

export interface Commands {
  run(command: InspectorCommand): Promise<InspectorCommandAnswer>;
  /** False for one that is not known, or over. */
  acknowledge(id: string, ack: InspectorAck): boolean;
}

interface Waiting {
  clientId: string;
  accepted: PromiseWithResolvers<void>;
  done: PromiseWithResolvers<{ result?: unknown; error?: InspectorFault }>;
}

/** Others only for tests. */
type Clocks = Record<"acceptedMs" | "doneMs" | "usualCommandMs", number>;

const faults = {
  noClient: { code: "no_active_client", message: "No page of the inspector is open." },
  notAccepted: { code: "timeout", message: "The page did not take the command in time." },
  notDone: { code: "timeout", message: "The page took the command, and did not finish in time." },
} as const satisfies Record<string, InspectorFault>;

export function createCommands(tabs: Tabs, clocks: Clocks = inspectorLimits): Commands {
  const waiting = new Map<string, Waiting>();

  /** Undefined when the page did not take it, so that another may. */
  async function give(
    id: string,
    clientId: string,
    command: InspectorCommand,
    deadline: number,
  ): Promise<InspectorCommandAnswer | undefined> {
    const one: Waiting = { clientId, accepted: Promise.withResolvers(), done: Promise.withResolvers() };
    waiting.set(id, one);
    try {
      const { type, payload } = command;
      if (!tabs.send(clientId, { event: "command", data: { id, clientId, type, payload } })) return undefined;
      const rest = () => Math.max(1, deadline - performance.now());
      if (!(await within(Math.min(clocks.acceptedMs, rest()), one.accepted.promise))) return undefined;
      const done = await within(Math.min(clocks.doneMs, rest()), one.done.promise);
      if (!done) return { id, status: "error", error: faults.notDone };
      if (done.value.error) return { id, status: "error", error: done.value.error };
      const { result } = done.value;
      return { id, status: "success", ...(result !== undefined && { result }) };
    } finally {
      waiting.delete(id);
    }
  }

  return {
    async run(command) {
      const id = command.id ?? randomUUID();
      const deadline = performance.now() + (command.timeoutMs ?? clocks.usualCommandMs);
      const { target = "active" } = command;
      const ranked = tabs.ranked();
      const chosen =
        target === "active" ? ranked.slice(0, 2) : ranked.filter((tab) => tab.clientId === target);
      if (chosen.length === 0) return { id, status: "error", error: faults.noClient };
      for (const { clientId } of chosen) {
        const answer = await give(id, clientId, command, deadline);
        if (answer) return answer;
      }
      return { id, status: "error", error: faults.notAccepted };
    },
    acknowledge(id, { clientId, phase, result, error }) {
      const one = waiting.get(id);
      if (!one || one.clientId !== clientId) return false;
      one.accepted.resolve();
      if (phase === "done") one.done.resolve({ result });
      if (phase === "failed") {
        one.done.resolve({ error: error ?? { code: "execution_failed", message: "The page failed." } });
      }
      return true;
    },
  };
}

async function within<T>(ms: number, promise: Promise<T>): Promise<{ value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise.then((value) => ({ value })), late]);
  } finally {
    clearTimeout(timer);
  }
}
