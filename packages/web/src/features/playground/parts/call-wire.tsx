/** @module The messages of a call, as they were on the wire. Fetched by whoever looks. */
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, ArrowRight } from "lucide-react";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import type { Json } from "../../../lib/json-exact.ts";
import { type TurnAddress, wireQuery } from "../queries.ts";
import { CallPart } from "./call-part.tsx";

export interface CallWireProps {
  /** Of a turn that was kept. */
  turn: TurnAddress;
  toolCallId: string;
}

export function CallWire({ turn, toolCallId }: CallWireProps) {
  const query = useQuery(wireQuery(turn));
  return (
    <Loaded query={query} what="the messages">
      {({ calls }) => {
        const messages = calls.find((call) => call.toolCallId === toolCallId)?.messages ?? [];
        return (
          <CallPart
            name="On the wire"
            {...(messages.length === 0 && {
              note: "No message was kept of this call: it reached no server.",
            })}
          >
            <div data-testid="wire" className="grid gap-3 xl:grid-cols-2">
              {messages.map(({ direction, at, message, truncated }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: recorded messages never change places.
                <div key={place} className="stack content-start gap-1">
                  <p className="flex items-center gap-1.5 text-faint text-xs">
                    {direction === "send" ? (
                      <ArrowRight aria-hidden="true" className="size-3.5 text-info-mark" />
                    ) : (
                      <ArrowLeft aria-hidden="true" className="size-3.5 text-good-mark" />
                    )}
                    {direction === "send" ? "To the server" : "From the server"},{" "}
                    <span className="font-mono">{new Date(at).toISOString().slice(11, 23)}</span>
                    {truncated && ", cut because it is long"}
                  </p>
                  {/* What was read as JSON is JSON. */}
                  <JsonView
                    value={message as Json}
                    openDepth={6}
                    label={direction === "send" ? "message to the server" : "message from the server"}
                  />
                </div>
              ))}
            </div>
          </CallPart>
        );
      }}
    </Loaded>
  );
}
