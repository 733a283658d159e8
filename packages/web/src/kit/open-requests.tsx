/** @module The account's open connection requests, when there are too many to start another: how old each is, and a way to give it up. */
import type { ServerConnection } from "@fettle/contract/servers";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { FailureView } from "./failure-view.tsx";
import { FormFailure } from "./form-failure.tsx";
import { Loading } from "./loading.tsx";
import { useAction } from "./use-action.ts";
import { useLoad } from "./use-load.ts";

export interface OpenRequestsProps {
  read: (signal: AbortSignal) => Promise<ServerConnection[]>;
  cancel: (requestId: string) => Promise<unknown>;
  /** A place became free. */
  onFreed: () => void;
}

/** Whether a start was refused because every place is taken. */
export function isLimitReached(failure: { details?: Record<string, unknown> | undefined } | null): boolean {
  return failure?.details?.code === "ACTIVE_REQUEST_LIMIT";
}

export function OpenRequests({ read, cancel, onFreed }: OpenRequestsProps) {
  const { data, failure, again } = useLoad(read);
  const free = useAction(cancel, onFreed);
  if (failure) return <FailureView failure={failure} what="your open requests" onRetry={again} />;
  if (!data) return <Loading what="your open requests" />;
  return (
    <div data-testid="open-requests" className="grid gap-3">
      <Notice kind="warn" role="status" title={`${data.length} connection requests are open`}>
        An account may have no more at once. Cancel one, or wait until it ends by itself within the hour.
      </Notice>
      <ul className="grid gap-px overflow-hidden rounded-control border border-line bg-line">
        {data.map(({ connectionRequestId: id, server, createdAt }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-2 bg-surface px-3 py-2 text-sm"
          >
            <span className="grid min-w-0 flex-1">
              <span className="break-all">{server?.name ?? server?.url}</span>
              <span className="text-faint">
                asked <Time at={createdAt} />
              </span>
            </span>
            <Button busy={free.busy} onClick={() => free.run(id)}>
              Cancel
            </Button>
          </li>
        ))}
      </ul>
      <FormFailure failure={free.failure} />
    </div>
  );
}
