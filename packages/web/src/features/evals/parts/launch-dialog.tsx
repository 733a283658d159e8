/** @module Starts a run, or one for each chosen target: what it would do and cost is said before the click. */

import type { EvalRunEstimate, EvalSuiteDetail } from "@fettle/contract/evals";
import { must } from "@fettle/contract/formats";
import { useState } from "react";
import { everyEnvironment } from "../../../api/environments.ts";
import { failureOf } from "../../../api/failure.ts";
import { useOperation } from "../../../api/operation.ts";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { ModelSelect } from "../../../kit/model-select.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { dollars } from "../../../lib/amounts.ts";
import { momentOf } from "../../../lib/time.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Select } from "../../../ui/select.tsx";
import { launchCost } from "../cost-words.ts";
import type { Started } from "../started-path.ts";
import { type Target, targetBody, targetsOf, targetWords } from "../targets.ts";

/** As the service bounds it. */
const repetitionChoices = ["1", "2", "3", "5", "10"] as const;

export interface LaunchDialogProps {
  suite: EvalSuiteDetail;
  /** Only these cases; all that are enabled otherwise. */
  caseIds?: readonly string[];
  /** The target chosen at first. */
  start?: string | null;
  onClose: () => void;
  onStarted: (started: Started) => void;
}

export function LaunchDialog({ suite, caseIds, start: first, onClose, onStarted }: LaunchDialogProps) {
  const { projectId, id: suiteId } = suite;
  const environments = useOperation("listEnvironments", everyEnvironment(projectId), {
    enabled: suite.environmentIds.length > 0,
  }).data?.items;
  const targets = targetsOf(suite, environments);
  const usual = must(targets.find(({ id }) => id === first) ?? targets[0], "a target for each suite");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set([usual.id]));
  const [repetitions, setRepetitions] = useState("");
  const [model, setModel] = useState("");
  const organizationId = useOperation("getProject", { projectId }).data?.organizationId;
  const wanted = targets.filter(({ id }) => chosen.has(id));
  const start = useChange("createEvalRun", ({ runId }) => onStarted({ runId }));
  const startGroup = useChange("createEvalRunGroup", ({ runGroupId: groupId }) => onStarted({ groupId }));
  const knobs = {
    ...(repetitions !== "" && { iterationOverride: Number(repetitions) }),
    ...(model !== "" && { modelOverride: model }),
    ...(caseIds && { caseIds: [...caseIds] }),
  };
  const many = wanted.length > 1;
  return (
    <FormDialog
      title={`Run ${suite.name}`}
      description={
        caseIds
          ? `Only ${caseIds.length === 1 ? "one case" : `${caseIds.length} cases`} of it.`
          : "Every enabled case is played against the servers as they are now."
      }
      submit={many ? `Start ${wanted.length} runs` : "Start run"}
      action={many ? startGroup : start}
      ready={wanted.length > 0}
      onClose={onClose}
      onSubmit={(values) => {
        const notes = String(values.get("notes") ?? "").trim();
        const said = { ...knobs, ...(notes !== "" && { notes }) };
        if (many) {
          startGroup.run({ projectId, body: { suiteId, targets: wanted.map(targetBody), ...said } });
        } else {
          start.run({ projectId, body: { suiteId, ...targetBody(wanted[0]), ...said } });
        }
      }}
    >
      {targets.length > 1 ? (
        <fieldset className="grid gap-1.5">
          <legend className="mb-1.5 font-medium text-sm">Targets</legend>
          {targets.map(({ id, kind, name }) => (
            <Checkbox
              key={id}
              label={name}
              hint={targetWords[kind]}
              checked={chosen.has(id)}
              onChange={() => setChosen((before) => before.symmetricDifference(new Set([id])))}
            />
          ))}
        </fieldset>
      ) : (
        <p className="text-sm">
          <span className="text-faint">{targetWords[usual.kind]}: </span>
          {usual.name}
        </p>
      )}
      <Field label="Repetitions of each case" name="iterationOverride">
        {(control) => (
          <Select
            {...control}
            value={repetitions}
            onChange={(event) => setRepetitions(event.target.value)}
            options={[
              { value: "", label: "As each case says" },
              ...repetitionChoices.map((value) => ({ value, label: value })),
            ]}
          />
        )}
      </Field>
      {organizationId && (
        <Field label="Model" name="modelOverride" hint="For this run alone: it answers every case.">
          {(control) => (
            <ModelSelect
              {...control}
              organizationId={organizationId}
              none="As the suite says"
              value={model}
              onChange={(event) => setModel(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field label="Notes" name="notes" optional hint="Kept with the run, such as what you changed.">
        {(control) => <Input {...control} />}
      </Field>
      {many && (
        <p className="text-soft text-sm">They are one group, and take one place among what runs at once.</p>
      )}
      <ul className="grid gap-2">
        {wanted.map((target) => (
          <li key={target.id}>
            <Estimate suite={suite} target={target} knobs={knobs} named={many} />
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}

/** Nothing for what is free, which no limit stops. */
function DayLeft({ estimate: { costUsd, day } }: { estimate: EvalRunEstimate }) {
  if (!day || costUsd === 0) return null;
  const left = `${dollars(day.leftUsd)} of today's ${dollars(day.limitUsd)} for models are left.`;
  if (costUsd !== null && costUsd <= day.leftUsd) return <p className="text-faint text-sm">{left}</p>;
  return (
    <Notice kind="warn" title={left}>
      {costUsd === null
        ? "Without a price it cannot be used under a limit. "
        : "This may cost more than that. "}
      The limit begins anew on {momentOf(day.resetsAt)}; an admin of the organization raises it in the
      settings of its models. What the rules of <code className="text-code">fettle/rules-1</code> answer is
      free.
    </Notice>
  );
}

interface EstimateProps {
  suite: EvalSuiteDetail;
  target: Target;
  knobs: { iterationOverride?: number; modelOverride?: string; caseIds?: string[] };
  named: boolean;
}

/** The preflight: refused for whatever the launch would be refused for. */
function Estimate({ suite: { projectId, id: suiteId }, target, knobs, named }: EstimateProps) {
  const query = useOperation("estimateEvalRun", {
    projectId,
    suiteId,
    body: { ...targetBody(target), ...knobs },
  });
  const { data } = query;
  if (query.isError) return <FormFailure failure={failureOf(query.error)} />;
  if (!data) return <p className="text-faint text-sm">Working out what it costs …</p>;
  const { word, note } = launchCost(data);
  const notices = data.models.flatMap(({ notice }) => notice ?? []);
  return (
    <div data-testid="launch-cost" className="stack gap-2">
      <Notice kind="info" title={`${named ? `${target.name}: ` : ""}${word}`}>
        <p>
          {note !== "" && `${note.charAt(0).toUpperCase()}${note.slice(1)}. `}
          {data.repetitions} {data.repetitions === 1 ? "repetition" : "repetitions"} of {data.cases}{" "}
          {data.cases === 1 ? "case" : "cases"} by{" "}
          {data.models.map(({ id }, at) => (
            <span key={id}>
              {at > 0 && ", "}
              <code className="text-code">{id}</code>
            </span>
          ))}{" "}
          (model from {data.modelFrom}).
          {data.repetitionsCollapsed &&
            " It always does the same, so each case is played once, however many repetitions are asked for."}
        </p>
        {notices.map((notice) => (
          <p key={notice} className="mt-1 text-soft">
            {notice}
          </p>
        ))}
      </Notice>
      <DayLeft estimate={data} />
    </div>
  );
}
