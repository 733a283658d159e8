/** @module How many large answers are held in memory at once: a call that meets one waits for a place, and no project takes them all. */
import type { ProjectId } from "@fettle/contract/core";
import { gatingLargeAnswers } from "@fettle/mcp";

interface PlaceLimits {
  places: number;
  perProject: number;
}

/** Of a thread. An answer of 16 MiB takes up to 100 MiB while it is text, value and text again. */
const placeLimits: PlaceLimits = { places: 3, perProject: 2 };

export interface LargePlaces {
  /** Runs a call. From its first large answer on it has a place, until it is over. */
  within<T>(projectId: ProjectId, work: () => Promise<T>): Promise<T>;
}

declare module "../../core/app.ts" {
  interface App {
    /** Bounds the large answers that are held in the main thread. */
    largePlaces: LargePlaces;
  }
}

interface Call {
  projectId: ProjectId;
  /** Resolved when it has a place, or needs none any more. */
  entry: PromiseWithResolvers<void>;
}

/**
 * @example
 * const places = createLargePlaces();
 * await places.within(projectId, () => connection.callTool("all_rows", {}));
 */
export function createLargePlaces({ places, perProject }: PlaceLimits = placeLimits): LargePlaces {
  const inside = new Set<Call>();
  /** In the order in which they came. */
  const waiting = new Set<Call>();
  const taken = (projectId: ProjectId) => [...inside].filter((call) => call.projectId === projectId).length;

  function letIn(): void {
    while (inside.size < places) {
      // Whose project has the fewest goes first, so that many calls of one do not stand before the few of another.
      const [next] = [...waiting]
        .filter(({ projectId }) => taken(projectId) < perProject)
        .sort((one, other) => taken(one.projectId) - taken(other.projectId));
      if (!next) return;
      waiting.delete(next);
      inside.add(next);
      next.entry.resolve();
    }
  }

  function leave(call: Call): void {
    inside.delete(call);
    waiting.delete(call);
    call.entry.resolve();
    letIn();
  }

  return {
    async within(projectId, work) {
      let call: Call | undefined;
      let isOver = false;
      const gate = async () => {
        // A connection outlives the call that opened it, and what comes then is no longer that call's.
        if (isOver) return;
        if (!call) {
          call = { projectId, entry: Promise.withResolvers() };
          waiting.add(call);
          letIn();
        }
        await call.entry.promise;
      };
      try {
        return await gatingLargeAnswers(gate, work);
      } finally {
        isOver = true;
        if (call) leave(call);
      }
    },
  };
}
