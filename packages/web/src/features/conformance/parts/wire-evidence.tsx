/** @module What a check saw: each exchange as it was on the wire, and whatever else it noted. */
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { isJsonObject, type Json, type JsonObject } from "../../../lib/json-exact.ts";

interface Exchange extends JsonObject {
  sent: Json;
  received: Json;
}

function isExchange(value: Json): value is Exchange {
  return isJsonObject(value) && "sent" in value && "received" in value;
}

export function WireEvidence({ details }: { details: Json }) {
  const { exchanges, rest } = split(details);
  return (
    <div className="stack gap-4">
      {exchanges.map((exchange, at) => (
        <section
          // biome-ignore lint/suspicious/noArrayIndexKey: stored evidence never changes places.
          key={at}
          data-testid="exchange"
          aria-label={`Exchange ${at + 1}`}
          className="grid gap-3 md:grid-cols-2"
        >
          <Side name="Sent" value={exchange.sent} />
          <Side name="Received" value={exchange.received} />
        </section>
      ))}
      {rest !== undefined && <JsonView value={rest} label="details" />}
    </div>
  );
}

function Side({ name, value }: { name: string; value: Json }) {
  return (
    <div className="stack content-start gap-1">
      <p className="font-medium text-faint text-xs">{name}</p>
      <JsonView value={value} label={name} openDepth={6} />
    </div>
  );
}

/** Reports name what was on the wire `evidence`; anything else is shown as it is. */
function split(details: Json): { exchanges: Exchange[]; rest: Json | undefined } {
  if (isExchange(details)) return { exchanges: [details], rest: undefined };
  if (!isJsonObject(details)) return { exchanges: [], rest: details };
  const { evidence, ...others } = details;
  const held = Array.isArray(evidence) ? evidence : evidence === undefined ? [] : [evidence];
  const exchanges = held.filter(isExchange);
  const unread = held.filter((each) => !isExchange(each));
  const rest = { ...others, ...(unread.length > 0 && { evidence: unread }) };
  return { exchanges, rest: Object.keys(rest).length > 0 ? rest : undefined };
}
