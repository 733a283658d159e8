/**
 * The state that travels through the client between two rounds of one request, signed so that it cannot be altered.
 * @module
 */
import { randomBytes } from "node:crypto";
import { createRequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";

interface State {
  step: string;
  name?: string;
}

export type RequestState = ReturnType<typeof createRequestState>;

export function createRequestState() {
  const codec = createRequestStateCodec<State>({ key: randomBytes(32) });
  return {
    verify: codec.verify,
    seal: (state: State) => codec.mint(state),
    read: (ctx: ServerContext) => ctx.mcpReq.requestState<State>(),
  };
}
