/**
 * Servers that answer well and say too much beside it: notifications nobody may send so, and progress that cannot be.
 * @module
 */
import { honestMessage } from "./honest.ts";
import {
  type Answer,
  type HostileServer,
  type Misbehaviour,
  type RpcRequest,
  result,
} from "./hostile-server.ts";

const BOTH: HostileServer["transports"] = ["stdio", "http"];
const CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };

export const WRONG_NOTICES: HostileServer[] = [
  {
    name: "list-changed-undeclared",
    transports: BOTH,
    does: "Says that its tools changed, without declaring that it ever would.",
    failsAt: "nowhere",
    conclude: "Ignore it, and say which capability is missing.",
    behave: whileListing((request) => [CHANGED, honestMessage(request)]),
  },
  {
    name: "notification-storm",
    transports: BOTH,
    does: "Says a thousand times that its tools changed before it lists them.",
    failsAt: "nowhere",
    conclude: "Ask again once at most, and say that the server floods its clients.",
    behave: declaring(whileListing((request) => [...Array(1_000).fill(CHANGED), honestMessage(request)])),
  },
  {
    name: "notification-with-id",
    transports: BOTH,
    does: "Puts an id into its notifications.",
    failsAt: "nowhere",
    conclude: "Take it for the notification it is, answer nothing, and say that the id must go.",
    behave: declaring(whileListing((request) => [{ ...CHANGED, id: "n-1" }, honestMessage(request)])),
  },
  {
    name: "progress-falls",
    transports: BOTH,
    does: "Reports progress 2 and then 1 to who asks for progress.",
    failsAt: "nowhere",
    conclude: "Show the greater, and say that progress must rise.",
    behave: whileListing((request) => [
      ...progress(request, 2),
      ...progress(request, 1),
      honestMessage(request),
    ]),
  },
  {
    name: "progress-after-answer",
    transports: BOTH,
    does: "Goes on reporting progress after the answer.",
    failsAt: "nowhere",
    conclude: "Ignore it, and say that progress must stop with the answer.",
    behave: whileListing((request) => [honestMessage(request), ...progress(request, 1)]),
  },
];

function whileListing(messages: (request: RpcRequest) => unknown[]): () => Misbehaviour {
  return () => ({
    answer: (request): Answer | undefined =>
      request.method === "tools/list" ? { kind: "messages", messages: messages(request) } : undefined,
  });
}

/** The same from a server that declares that its list of tools may change. */
function declaring(behave: () => Misbehaviour): () => Misbehaviour {
  return () => {
    const { answer } = behave();
    return {
      answer: (request) =>
        request.method === "initialize"
          ? result(request, {
              protocolVersion: "2025-11-25",
              capabilities: { tools: { listChanged: true } },
              serverInfo: { name: "hostile", version: "1.0.0" },
            })
          : answer?.(request),
    };
  };
}

function progress({ params }: RpcRequest, value: number): unknown[] {
  const { progressToken } = (params._meta ?? {}) as { progressToken?: unknown };
  if (progressToken === undefined) return [];
  return [{ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: value } }];
}
