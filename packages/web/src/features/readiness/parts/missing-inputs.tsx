/** @module What nobody could evaluate, by what is missing, and how to supply it. */
import type { ReadinessFindingView } from "@fettle/contract/servers";
import { supplyOf } from "../run-words.ts";

export interface MissingInputsProps {
  findings: readonly ReadinessFindingView[];
  /** Checks with what only the terminal can be given. */
  command: string;
}

/** What only a file of the one who submits can tell. */
const filed = new Set([
  "submissionProfile",
  "publishedSnapshot",
  "authorizationRequests",
  "interactive-oauth",
]);

export function MissingInputs({ findings, command }: MissingInputsProps) {
  const open = findings.filter(({ status }) => status === "not-evaluated");
  const groups = [...Map.groupBy(open, ({ missingInput = "serverAnswer" }) => missingInput)];
  if (groups.length === 0) return null;
  return (
    <section aria-label="What is missing" className="stack gap-3">
      <h2 className="font-semibold">What is missing, and how to supply it</h2>
      <dl className="grid divide-y divide-line rounded-panel border border-line bg-surface">
        {groups.map(([input, group]) => {
          const { name, how } = supplyOf(input);
          const deciding = group.filter(({ class: kind }) => decides(kind)).length;
          return (
            <div
              key={input}
              className="grid gap-x-4 px-4 py-2.5 sm:grid-cols-[14rem_1fr]"
              data-testid="missing"
            >
              <dt className="font-medium">{name}</dt>
              <dd className="min-w-0 break-words text-soft text-sm">
                {how}{" "}
                <span className="text-faint">
                  {group.length} {group.length === 1 ? "rule waits" : "rules wait"} for it, {deciding} that
                  decide.
                </span>
                {filed.has(input) && <code className="block break-all text-code">{command}</code>}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

const decides = (kind: ReadinessFindingView["class"]) => kind === "required" || kind === "runtime-blocker";
