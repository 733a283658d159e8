/** @module Launches one journey, or several as one wave. How many sessions, calls and dollars at most is said before the click. */
import { freshKey } from "@fettle/contract/client";
import type { ApiError } from "@fettle/contract/core";
import type { JourneyRunLaunched } from "@fettle/contract/visitors";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { failureOf } from "../../../api/failure.ts";
import { change, operationOptions } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { costWord, driverWords, many, summed } from "../run-words.ts";

interface Launchable {
  id: string;
  name: string;
  persona: string;
}

export interface LaunchDialogProps {
  projectId: string;
  title: string;
  journeys: readonly Launchable[];
  onClose: () => void;
  onLaunched: (runs: readonly JourneyRunLaunched[]) => void;
}

export function LaunchDialog({ projectId, title, journeys, onClose, onLaunched }: LaunchDialogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(journeys.map(({ id }) => id)));
  // One label and one key for each journey while the dialog is open: pressed again after a refusal, what was launched stays one run.
  const [wave] = useState(() => freshKey());
  const [launched, setLaunched] = useState<readonly JourneyRunLaunched[]>([]);
  const wanted = journeys.filter(({ id }) => chosen.has(id));
  const estimates = useQueries({
    queries: wanted.map(({ id: journeyId }) =>
      operationOptions("estimateJourneyRun", { projectId, journeyId }),
    ),
  });
  const launch = useAction(async () => {
    const runs = [...launched];
    for (const { id: journeyId } of wanted) {
      if (runs.some((run) => run.journeyId === journeyId)) continue;
      const body = journeys.length > 1 ? { waveId: wave } : {};
      runs.push(
        await change(
          "launchJourneyRun",
          { projectId, journeyId, body },
          { idempotencyKey: `${wave}-${journeyId}` },
        ),
      );
      setLaunched([...runs]);
    }
    return runs;
  }, onLaunched);
  const known = estimates.flatMap(({ data }) => data ?? []);
  const isWhole = known.length === wanted.length && wanted.length > 0;
  const total = summed(known);
  const notes = [
    ...new Set(
      known.flatMap(({ targets }) => targets.map(({ personaDriver }) => driverWords[personaDriver])),
    ),
  ];
  return (
    <FormDialog
      title={title}
      description="Everything it depends on is frozen when it begins: later edits change nothing in it."
      submit={wanted.length > 1 ? `Launch ${wanted.length} journeys` : "Launch"}
      action={{ ...launch, failure: null }}
      ready={isWhole}
      onClose={launched.length > 0 ? () => onLaunched(launched) : onClose}
      onSubmit={() => launch.run()}
    >
      {journeys.length > 1 && (
        <fieldset className="grid gap-1.5">
          <legend className="mb-1.5 font-medium text-sm">Journeys</legend>
          {journeys.map(({ id, name, persona }) => (
            <Checkbox
              key={id}
              label={name}
              hint={launched.some(({ journeyId }) => journeyId === id) ? `${persona}. Launched.` : persona}
              disabled={launched.some(({ journeyId }) => journeyId === id)}
              checked={chosen.has(id)}
              onChange={() => setChosen((before) => before.symmetricDifference(new Set([id])))}
            />
          ))}
        </fieldset>
      )}
      {wanted.map((journey, at) => {
        const estimate = estimates[at];
        return estimate?.isError ? (
          <Refusal
            key={journey.id}
            projectId={projectId}
            journey={journey}
            failure={failureOf(estimate.error)}
          />
        ) : null;
      })}
      {isWhole && (
        <div data-testid="launch-cost" data-sessions={total.sessions} data-calls={total.modelCalls}>
          <Notice kind="info" title={costWord(total)}>
            {many(total.sessions, "session")} of {many(wanted.length, "journey")},{" "}
            {total.modelCalls === 0
              ? "no call of a model"
              : `at most ${many(total.modelCalls, "call")} of a model`}
            . {total.costUsd === null && "Whoever set the model up gave no price. "}
            {notes.length > 0 && `${notes.join("; ").replace(/^./, (first) => first.toUpperCase())}.`}
          </Notice>
        </div>
      )}
      {!isWhole && estimates.some(({ isPending }) => isPending) && (
        <p className="text-faint text-sm">Working out what it costs …</p>
      )}
      {wanted.length === 0 && <p className="text-soft text-sm">Choose at least one journey.</p>}
      <LaunchFailure failure={launch.failure} launched={launched.length} />
    </FormDialog>
  );
}

/** Why one of them cannot be launched, and where that is mended. */
function Refusal({
  projectId: pid,
  journey: { id, name },
  failure,
}: {
  projectId: string;
  journey: Launchable;
  failure: ApiError;
}) {
  return (
    <div data-testid="launch-refusal" data-code={String(failure.details?.code ?? failure.code)}>
      <Notice kind="bad" title={`${name} cannot be launched`}>
        <p>{failure.message}</p>
        <PageLink page="journey-settings" params={{ pid, jid: id }} className="underline">
          Change the journey
        </PageLink>
      </Notice>
    </div>
  );
}

/** A limit says when it begins anew, and what can be done until then. */
function LaunchFailure({ failure, launched }: { failure: ApiError | null; launched: number }) {
  if (!failure) return null;
  return (
    <div className="stack gap-2">
      <FormFailure failure={failure} />
      {launched > 0 && (
        <p className="text-sm text-soft">
          {launched === 1 ? "One was" : `${launched} were`} launched before, and{" "}
          {launched === 1 ? "goes" : "go"} on. Pressed again, only the others are launched.
        </p>
      )}
      {failure.details?.limit === "journeyRunsPerDay" && (
        <p className="text-sm text-soft">
          Runs that were launched go on, and can be read and compared. Whoever runs this deployment can allow
          more a day: <code>FETTLE_LIMIT_JOURNEY_RUNS_PER_DAY</code>.
        </p>
      )}
    </div>
  );
}
