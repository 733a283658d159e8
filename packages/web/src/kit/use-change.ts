/** @module A write from a page: one press, one call, and whatever it changed is read anew before it counts as done. */
import { freshKey } from "@fettle/contract/client";
import { useRef } from "react";
import { type AnswerOf, change, type InputOf } from "../api/operation.ts";
import { type OperationId, takesKey } from "../api/topics.ts";
import { type Action, useAction } from "./use-action.ts";

/**
 * @example
 * const rename = useChange("updateOrganization", () => toast("Renamed"));
 * <Button busy={rename.busy} onClick={() => rename.run({ organizationId, body: { name } })}>Rename</Button>
 */
export function useChange<Id extends OperationId>(
  id: Id,
  done?: (answer: AnswerOf<Id>) => void,
): Action<[input: InputOf<Id>]> {
  const attempt = useRef<{ said: string; key: string }>(undefined);
  return useAction(async (input: InputOf<Id>): Promise<AnswerOf<Id>> => {
    if (!takesKey(id)) return change(id, input);
    // One key for the same words: pressed again after a lost answer, it makes one thing, not two.
    const said = JSON.stringify(input);
    if (attempt.current?.said !== said) attempt.current = { said, key: freshKey() };
    const made = await change(id, input, { idempotencyKey: attempt.current.key });
    attempt.current = undefined;
    return made;
  }, done);
}
