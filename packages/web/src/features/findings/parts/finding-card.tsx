/** @module A finding, in the order of trust: what was counted first, then whose it is, then what somebody thinks should be done. */
import type { ActionableFinding, ActionableFindingEvidence } from "@fettle/contract/insights";
import type { ReactNode } from "react";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import {
  affectedText,
  criterionText,
  isByWords,
  ownerText,
  severityTones,
  targetText,
  taskText,
  titleText,
} from "../finding-words.ts";

export interface FindingCardProps {
  /** Of its title; what is below follows. */
  heading?: "h2" | "h3";
  finding: ActionableFinding;
  /** Leads to where it was said or called; nothing where it cannot be opened from here. */
  open: (evidence: ActionableFindingEvidence) => ReactNode;
  /** Beside the title, such as how it fares. */
  chip?: ReactNode;
  actions?: ReactNode;
  /** What else is known of it. */
  children?: ReactNode;
}

export function FindingCard(props: FindingCardProps) {
  const { heading: Heading = "h3", finding, open, chip, actions, children } = props;
  const below = Heading === "h2" ? "h3" : "h4";
  const { id, severity, confidence, observed, affected, evidence, target } = finding;
  const { rootCause, recommendation, acceptanceCriteria, attribution, actionTarget } = finding;
  return (
    <article
      data-testid="insight"
      data-finding={id}
      data-severity={severity}
      aria-label={titleText(finding)}
      className="stack gap-4 rounded-panel border border-line bg-surface p-air"
    >
      <header className="stack gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <Chip tone={severityTones[severity]}>{`Severity ${severity}`}</Chip>
          <Chip plain>{`Confidence ${confidence}`}</Chip>
          {isByWords(finding) && <Chip plain>Of the rules, no model</Chip>}
          {chip}
        </div>
        <Heading className="break-words font-semibold text-lg">
          <VisibleText text={titleText(finding)} />
        </Heading>
        <p className="break-words text-soft">
          <VisibleText text={observed} />{" "}
          <span className="text-faint text-sm">Counted: {affectedText(affected)}.</span>
        </p>
      </header>
      {children}
      {evidence.length > 0 && (
        <Part heading={below} name="Evidence">
          <ul className="grid gap-2">
            {evidence.map((each, at) => (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one finding never change places.
                key={at}
                className="flex flex-wrap items-start justify-between gap-2 border-line border-l-2 pl-3"
              >
                <span className="min-w-0 flex-1 basis-60 break-words text-sm text-soft">
                  <VisibleText text={each.excerpt} />
                </span>
                {open(each)}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part heading={below} name="Whose it is, and what to change">
        <p className="break-words">
          {ownerText({ attribution, actionTarget })}
          {target && (
            <>
              {", at "}
              <code className="text-code">
                <VisibleText text={targetText(target)} />
              </code>
            </>
          )}
          .
        </p>
        {target?.currentDefinition?.description !== undefined && (
          <details className="text-sm">
            <summary className="w-fit text-faint">Its description now</summary>
            <p className="mt-1 whitespace-pre-wrap break-words border-line border-l-2 pl-3 text-soft">
              <VisibleText text={target.currentDefinition.description} />
            </p>
          </details>
        )}
      </Part>
      {rootCause && (
        <Part heading={below} name="Cause, as it is thought">
          <p className="break-words">
            <VisibleText text={rootCause} />
          </p>
        </Part>
      )}
      <Part heading={below} name="Recommendation">
        <p className="break-words">
          <VisibleText text={recommendation} />
        </p>
      </Part>
      {acceptanceCriteria.length > 0 && (
        <Part heading={below} name="Done when">
          <ul className="grid list-disc gap-1 pl-5">
            {acceptanceCriteria.map((criterion) => (
              <li key={criterion} className="break-words">
                <VisibleText text={criterionText(finding, criterion)} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <div className="flex flex-wrap gap-2">
        <CopyButton text={taskText(finding)} label="Copy as a task" />
        {actions}
      </div>
    </article>
  );
}

function Part(props: { heading: "h3" | "h4"; name: string; children: ReactNode }) {
  const { heading: Heading, name, children } = props;
  return (
    <section className="stack gap-1.5">
      <Heading className="font-medium text-faint text-xs">{name}</Heading>
      {children}
    </section>
  );
}
