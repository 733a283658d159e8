/** @module One press, one piece of work: busy while it runs, and the failure kept where it happened. */

import type { ApiError } from "@fettle/contract/core";
import { useCallback, useRef, useState } from "react";
import { failureOf } from "../api/failure.ts";

export interface Action<Args extends unknown[]> {
  run: (...args: Args) => void;
  busy: boolean;
  failure: ApiError | null;
  /** Forgets the failure, such as when a dialog opens again. */
  reset: () => void;
}

/**
 * @example
 * const rename = useAction((name: string) => renameOrganization(id, name), () => toast("Renamed"));
 * <Button busy={rename.busy} onClick={() => rename.run("New name")}>Rename</Button>
 */
export function useAction<Args extends unknown[], Result>(
  act: (...args: Args) => Promise<Result>,
  done?: (result: Result) => void,
): Action<Args> {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const running = useRef(false);
  const latest = useRef({ act, done });
  latest.current = { act, done };

  const run = useCallback((...args: Args) => {
    // State is set only after a render; this stops the second press of a double click.
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setFailure(null);
    latest.current
      .act(...args)
      .then(
        (result) => latest.current.done?.(result),
        (error: unknown) => setFailure(failureOf(error)),
      )
      .finally(() => {
        running.current = false;
        setBusy(false);
      });
  }, []);
  const reset = useCallback(() => setFailure(null), []);
  return { run, busy, failure, reset };
}
