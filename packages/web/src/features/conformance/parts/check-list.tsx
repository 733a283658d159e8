/** @module The checks of one suite: what failed first, each to be opened for its evidence. */
import type { ConformanceCase, ConformanceSuiteReport } from "@fettle/contract/servers";
import { CircleAlert, CircleCheck, CircleMinus, Info, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { type Grade, GradedList, GradedSummary } from "../../../kit/list/graded-list.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { tryParse } from "../../../lib/json-exact.ts";
import { Chip } from "../../../ui/chip.tsx";
import { type CheckState, checkStates, type ShownCheck, shownChecks } from "../check-order.ts";
import { ruleWordMeanings } from "../run-words.ts";
import { WireEvidence } from "./wire-evidence.tsx";

const states = {
  failed: { word: "Failed", Shape: CircleAlert, look: "text-bad" },
  "could-not-run": { word: "Could not run", Shape: TriangleAlert, look: "text-warn" },
  advised: { word: "Passed with advice", Shape: Info, look: "text-info" },
  passed: { word: "Passed", Shape: CircleCheck, look: "text-good" },
  "not-applicable": { word: "Not applicable", Shape: CircleMinus, look: "text-faint" },
} as const satisfies Record<CheckState, Grade>;

export function CheckList({ report }: { report: ConformanceSuiteReport }) {
  return (
    <div className="stack gap-3">
      <AdviceList report={report} />
      <GradedList
        noun={["check", "checks"]}
        grades={checkStates.map((state) => [state, states[state]])}
        items={shownChecks(report)}
        stateOf={({ state }) => state}
        textOf={({ check: { id, title, category } }) => `${id} ${title} ${category}`}
        row={(each) => <CheckRow key={each.key} shown={each} />}
      />
    </div>
  );
}

/** Before the checks, of which there are many; open where nothing failed, which would matter more. */
function AdviceList({ report: { advisories = [], outcome } }: { report: ConformanceSuiteReport }) {
  if (advisories.length === 0) return null;
  return (
    <details open={outcome !== "failed"} className="stack gap-1.5">
      <summary className="w-fit rounded-[4px] font-semibold">
        Advice ({advisories.length}), which never changes the verdict
      </summary>
      <ul className="grid gap-1 text-sm text-soft">
        {advisories.map(({ id, tier, word = tier?.toUpperCase() ?? "advice", message = "" }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: stored advice never changes places.
          <li key={at} className="break-words">
            <Chip plain>{word}</Chip> <code className="text-code">{id}</code> <VisibleText text={message} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function CheckRow({ shown: { check, state, pending, groupTitle } }: { shown: ShownCheck }) {
  const [open, setOpen] = useState(false);
  return (
    <li data-testid="check" data-check={check.id} data-state={state}>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <GradedSummary
          grade={states[state]}
          id={check.id}
          title={check.title}
          remarks={
            <>
              {check.error && (
                <span className="break-words text-sm text-soft">
                  <VisibleText text={check.error.message} />
                </span>
              )}
              {check.warnings?.map(({ word, message }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a stored result never changes.
                <span key={at} className="break-words text-sm text-soft" data-testid="warning">
                  <Chip plain>{word}</Chip> <VisibleText text={message} />
                </span>
              ))}
            </>
          }
          chips={
            <>
              {pending && <Chip title="Reported, but not scored in this run.">Pending</Chip>}
              {check.rule && (
                <Chip plain title={ruleWordMeanings[check.rule.word]}>
                  {check.rule.word}
                </Chip>
              )}
              <Chip plain>{check.category}</Chip>
            </>
          }
        />
        {open && (
          <div className="stack gap-3 border-line border-t bg-sunken px-4 py-3">
            {check.description && (
              <p className="text-soft">
                <VisibleText text={check.description} />
              </p>
            )}
            {check.rule && <RuleLine rule={check.rule} />}
            <p className="text-faint text-sm">
              {groupTitle}, {Math.round(check.durationMs)} ms
            </p>
            <Evidence details={check.details} />
          </div>
        )}
      </details>
    </li>
  );
}

/** A reported run may come from anywhere, so only an address of the web becomes a link. */
function RuleLine({ rule: { word, title, url, revision } }: { rule: NonNullable<ConformanceCase["rule"]> }) {
  const isWeb = /^https?:\/\//i.test(url);
  return (
    <p data-testid="rule" className="text-soft text-sm">
      <Chip plain>{word}</Chip> {ruleWordMeanings[word]} {title}, {revision}:{" "}
      {isWeb ? (
        <a className="wrap-anywhere underline" href={url} rel="noreferrer" target="_blank">
          {url}
        </a>
      ) : (
        <span className="wrap-anywhere">{url}</span>
      )}
    </p>
  );
}

/** Read again from its text, so that the view gets the exact kind of JSON it draws. */
function Evidence({ details }: { details: unknown }) {
  if (details === undefined) return <p className="text-soft">No evidence was kept.</p>;
  const parsed = tryParse(JSON.stringify(details));
  return <WireEvidence details={parsed.ok ? parsed.value : null} />;
}
