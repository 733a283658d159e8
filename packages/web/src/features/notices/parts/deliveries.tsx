/** @module What was sent to a webhook, the latest first, with what it answered. */
import type { Webhook, WebhookDelivery } from "@fettle/contract/notices";
import { useInfiniteQuery } from "@tanstack/react-query";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { ShowMore } from "../../../kit/list/show-more.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import type { Json } from "../../../lib/json-exact.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { stateLooks, typeWord } from "../notice-words.ts";
import { deliveriesQuery } from "../queries.ts";

export interface DeliveriesProps {
  webhook: Webhook;
  onClose: () => void;
}

export function Deliveries({ webhook, onClose }: DeliveriesProps) {
  const address = { projectId: webhook.projectId, webhookId: webhook.id };
  const query = useInfiniteQuery(deliveriesQuery(address));
  const again = useChange("redeliverWebhook");
  return (
    <Panel
      title={`Deliveries to ${webhook.name}`}
      about="Kept for 30 days."
      aside={<Button onClick={onClose}>Close</Button>}
    >
      <FormFailure failure={again.failure} />
      <Loaded query={query} what="the deliveries">
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0) return <p className="text-soft">Nothing was sent there yet.</p>;
          return (
            <ul className="divide-y divide-line">
              {items.map((delivery) => (
                <Delivery
                  key={delivery.id}
                  delivery={delivery}
                  busy={again.busy}
                  onAgain={
                    webhook.enabled ? () => again.run({ ...address, deliveryId: delivery.id }) : undefined
                  }
                />
              ))}
            </ul>
          );
        }}
      </Loaded>
      <ShowMore query={query}>Show older</ShowMore>
    </Panel>
  );
}

interface DeliveryProps {
  delivery: WebhookDelivery;
  busy: boolean;
  /** Undefined where nothing is sent any more. */
  onAgain: (() => void) | undefined;
}

function Delivery({ delivery, busy, onAgain }: DeliveryProps) {
  const { state, event, eventId, attempts, status, error, answer, durationMs, payload } = delivery;
  const { word, tone } = stateLooks[state];
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Chip tone={tone}>{word}</Chip>
        <span className="font-medium">{typeWord(event)}</span>
        <code className="break-all text-faint text-xs">{eventId}</code>
        <span className="ml-auto text-sm text-soft">
          <Time at={delivery.lastAttemptAt ?? delivery.createdAt} />
        </span>
        {onAgain && (
          <Button busy={busy} onClick={onAgain}>
            {state === "waiting" ? "Send now" : "Send again"}
            <span className="sr-only"> {eventId}</span>
          </Button>
        )}
      </div>
      <p className="mt-1 text-sm text-soft">
        {attempts === 0
          ? "Not tried yet."
          : error === null
            ? `It answered ${status} in ${durationMs} ms.`
            : error}
        {attempts > 1 && ` ${attempts} tries.`}
        {state === "waiting" && delivery.nextAttemptAt !== null && attempts > 0 && (
          <>
            {" "}
            Tried again <Time at={delivery.nextAttemptAt} />.
          </>
        )}
      </p>
      <details className="mt-1 text-sm">
        <summary className="cursor-pointer text-soft">What was sent, and the answer</summary>
        <div className="stack mt-2 gap-2">
          {/* What came as JSON is JSON. */}
          <JsonView value={payload as Json} label="What was sent" />
          {answer !== null && answer !== "" && (
            <pre className="overflow-x-auto whitespace-pre-wrap rounded-control bg-sunken p-2 text-code">
              <VisibleText text={answer} />
            </pre>
          )}
        </div>
      </details>
    </li>
  );
}
