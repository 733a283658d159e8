/** @module One read for pages without a cache: what arrived, what failed, and a way to ask again. */
import type { ApiError } from "@fettle/contract/core";
import { useCallback, useEffect, useRef, useState } from "react";
import { failureOf } from "../api/failure.ts";

export type Load<Data> = { data: Data | undefined; failure: ApiError | null; again: () => void };

/** Reads once when shown; `load` is not asked anew when it changes. */
export function useLoad<Data>(load: (signal: AbortSignal) => Promise<Data>): Load<Data> {
  const [state, setState] = useState<{ data?: Data; failure: ApiError | null }>({ failure: null });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is what asks again.
  useEffect(() => {
    const left = new AbortController();
    latest.current(left.signal).then(
      (data) => left.signal.aborted || setState({ data, failure: null }),
      (error: unknown) => left.signal.aborted || setState({ failure: failureOf(error) }),
    );
    return () => left.abort();
  }, [round]);

  const again = useCallback(() => {
    setState({ failure: null });
    setRound((now) => now + 1);
  }, []);
  return { data: state.data, failure: state.failure, again };
}
