/** @module The message of a call as MCP has it. */
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import type { Json } from "../../../lib/json-exact.ts";
import type { ShownCall } from "../turns.ts";
import { CallPart } from "./call-part.tsx";

export function CallWire({ call: { toolName, input } }: { call: ShownCall }) {
  const request = { method: "tools/call", params: { name: toolName, arguments: input as Json } };
  return (
    <CallPart
      name="Message to the server"
      note="Made from the record of the call; the wire itself was not kept."
    >
      <JsonView value={request} label={`message of ${toolName}`} />
    </CallPart>
  );
}
