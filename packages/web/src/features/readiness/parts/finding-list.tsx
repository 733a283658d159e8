/** @module The findings of a report, most consequential first, each with where the publisher asks for it. */
import {
  type ReadinessFindingStatus,
  type ReadinessFindingView,
  readinessFindingStatuses,
} from "@fettle/contract";
import { CircleAlert, CircleCheck, CircleMinus, Info, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { FilterInput } from "../../../kit/list/filter-input.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { classMeanings, laneNames } from "../run-words.ts";

const states = {
  violated: { word: "Violated", Shape: CircleAlert, look: "text-bad" },
  "not-evaluated": { word: "Open", Shape: TriangleAlert, look: "text-warn" },
  informational: { word: "To know", Shape: Info, look: "text-info" },
  satisfied: { word: "Satisfied", Shape: CircleCheck, look: "text-good" },
  "not-applicable": { word: "Not applicable", Shape: CircleMinus, look: "text-faint" },
} as const satisfies Record<ReadinessFindingStatus, unknown>;

export function FindingList({ findings }: { findings: readonly ReadinessFindingView[] }) {
  const [wanted, setWanted] = useState<ReadinessFindingStatus | "all">("all");
  const [filter, setFilter] = useState("");
  const shown = findings.filter(
    ({ id, title, lane, status }) =>
      (wanted === "all" || status === wanted) &&
      `${id} ${title} ${laneNames[lane]}`.toLowerCase().includes(filter.toLowerCase()),
  );
  const options = [
    { value: "all" as const, label: `All ${findings.length}` },
    ...readinessFindingStatuses.map((status) => ({
      value: status,
      label: `${states[status].word} ${findings.filter((each) => each.status === status).length}`,
    })),
  ];
  return (
    <section aria-label="Findings" className="stack gap-3">
      <h2 className="font-semibold">Findings</h2>
      <div className="flex flex-wrap items-center gap-3">
        <FilterInput label="Filter findings" value={filter} onChange={setFilter} />
        <Choice as="segments" hideLabel label="Show" options={options} value={wanted} onChange={setWanted} />
      </div>
      {shown.length === 0 ? (
        <p className="text-soft">No finding matches.</p>
      ) : (
        <ul
          aria-label="Findings"
          className="grid divide-y divide-line overflow-hidden rounded-panel border border-line bg-surface"
        >
          {shown.map((finding, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a model may say two things under one id, and a stored report never changes.
            <FindingRow key={`${finding.id} ${at}`} finding={finding} />
          ))}
        </ul>
      )}
    </section>
  );
}

function FindingRow({ finding }: { finding: ReadinessFindingView }) {
  const { id, title, status, lane, message, notEvaluatedReason, provenance } = finding;
  const { word, Shape, look } = states[status];
  const { word: kind, about } = classMeanings[finding.class];
  const said = message ?? notEvaluatedReason;
  return (
    <li data-testid="finding" data-finding={id} data-state={status}>
      <details>
        <summary
          data-row-focus=""
          className="flex list-none items-start gap-3 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2"
        >
          <Shape aria-hidden="true" className={`mt-0.75 size-4 shrink-0 ${look}`} />
          <span className="grid min-w-0 flex-1">
            <span className="break-words">
              <span className="sr-only">{word}: </span>
              <VisibleText text={title} />
            </span>
            {said && (
              <span className="break-words text-sm text-soft">
                <VisibleText text={said} />
              </span>
            )}
            <code className="break-all text-faint text-xs">{id}</code>
          </span>
          <span className="flex shrink-0 flex-wrap items-center justify-end gap-1.5 max-sm:hidden">
            {provenance === "llm" && <Chip plain>A model's word</Chip>}
            <Chip plain title={about}>
              {kind}
            </Chip>
            <Chip plain>{laneNames[lane]}</Chip>
          </span>
        </summary>
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
