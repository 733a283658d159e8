/** @module The findings of a report, most consequential first, each with where the publisher asks for it. */
import {
  type ReadinessFindingStatus,
  type ReadinessFindingView,
  readinessFindingStatuses,
} from "@fettle/contract/servers";
import { CircleAlert, CircleCheck, CircleMinus, Info, TriangleAlert } from "lucide-react";
import { GradedList, GradedSummary } from "../../../kit/list/graded-list.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { classMeanings, laneNames } from "../run-words.ts";

const states = {
  violated: { word: "Violated", Shape: CircleAlert, look: "text-bad" },
  "not-evaluated": { word: "Open", Shape: TriangleAlert, look: "text-warn" },
  informational: { word: "To know", Shape: Info, look: "text-info" },
  satisfied: { word: "Satisfied", Shape: CircleCheck, look: "text-good" },
  "not-applicable": { word: "Not applicable", Shape: CircleMinus, look: "text-faint" },
} as const satisfies Record<ReadinessFindingStatus, unknown>;

export function FindingList({ findings }: { findings: readonly ReadinessFindingView[] }) {
  return (
    <section aria-label="Findings" className="stack gap-3">
      <h2 className="font-semibold">Findings</h2>
      <GradedList
        noun={["finding", "findings"]}
        grades={readinessFindingStatuses.map((status) => [status, states[status]])}
        items={findings}
        stateOf={({ status }) => status}
        textOf={({ id, title, lane }) => `${id} ${title} ${laneNames[lane]}`}
        // A model may say two things under one id, and a stored report never changes.
        row={(finding, at) => <FindingRow key={`${finding.id} ${at}`} finding={finding} />}
      />
    </section>
  );
}

function FindingRow({ finding }: { finding: ReadinessFindingView }) {
  const { id, title, status, lane, message, notEvaluatedReason, provenance } = finding;
  const { word: kind, about } = classMeanings[finding.class];
  const said = message ?? notEvaluatedReason;
  return (
    <li data-testid="finding" data-finding={id} data-state={status}>
      <details>
        <GradedSummary
          grade={states[status]}
          id={id}
          title={title}
          remarks={
            said && (
              <span className="break-words text-sm text-soft">
                <VisibleText text={said} />
              </span>
            )
          }
          chips={
            <>
              {provenance === "llm" && <Chip plain>A model's word</Chip>}
              <Chip plain title={about}>
                {kind}
              </Chip>
              <Chip plain>{laneNames[lane]}</Chip>
            </>
          }
        />
        <Detail finding={finding} />
      </details>
    </li>
  );
}

function Detail({
  finding: { remediation, source, details, provenance, class: kind },
}: {
  finding: ReadinessFindingView;
}) {
  const listed = [details?.faults, details?.evidence].find(Array.isArray) ?? [];
  return (
    <div className="stack gap-2 border-line border-t bg-sunken px-4 py-3 text-sm">
      {listed.length > 0 && (
        <ul className="grid list-disc gap-1 pl-5">
          {listed.map(String).map((each, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a stored report never changes.
            <li key={at} className="break-words">
              <VisibleText text={each} />
            </li>
          ))}
        </ul>
      )}
      {remediation && <p className="break-words">{remediation}</p>}
      <p className="text-soft">
        {classMeanings[kind].about}
        {provenance !== "llm" && (
          <>
            {" "}
            Asked for in{" "}
            <a className="underline" href={source.url} rel="noreferrer" target="_blank">
              {source.page}, {source.section}
            </a>{" "}
            (read {source.snapshotDate}).
          </>
        )}
      </p>
    </div>
  );
}
