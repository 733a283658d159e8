/** @module Fills a form with what is drafted from servers' tools. Nothing is stored by it: a person reads it first. */
import { must } from "@fettle/contract/formats";
import type { GenerationDrafts } from "@fettle/contract/visitors";
import { Sparkles } from "lucide-react";
import { useState } from "react";
import { everyEnvironment } from "../../../api/environments.ts";
import { useOperation } from "../../../api/operation.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Select } from "../../../ui/select.tsx";
import { type DraftGround, draftGround } from "../drafts.ts";

export interface DraftFromServerProps<Draft> {
  projectId: string;
  ask: (ground: DraftGround) => Promise<GenerationDrafts>;
  draftsOf: (answer: GenerationDrafts) => readonly Draft[];
  nameOf: (draft: Draft) => string;
  /** What making it may do besides reading. */
  cautionOf?: (draft: Draft) => string | undefined;
  onTake: (draft: Draft) => void;
}

export function DraftFromServer<Draft>(props: DraftFromServerProps<Draft>) {
  const [open, setOpen] = useState(false);
  if (open) return <Drafting {...props} />;
  return (
    <Button
      className="self-start"
      icon={<Sparkles aria-hidden className="size-4" />}
      onClick={() => setOpen(true)}
    >
      Draft from a server
    </Button>
  );
}

function Drafting<Draft>({
  projectId,
  ask,
  draftsOf,
  nameOf,
  cautionOf,
  onTake,
}: DraftFromServerProps<Draft>) {
  const environments = useOperation("listEnvironments", everyEnvironment(projectId)).data?.items ?? [];
  const groups = useOperation("listServerGroups", { projectId }).data?.items ?? [];
  const [chosen, setChosen] = useState("");
  const [made, setMade] = useState<{ drafts: readonly Draft[]; by: string; place: number }>();
  const grounds = [
    ...environments
      .filter(({ archived }) => !archived)
      .map(({ id, name }) => ({ value: `environment ${id}`, label: name ?? "Ad-hoc environment" })),
    ...groups.map(({ id, name }) => ({ value: `group ${id}`, label: `Server group ${name}` })),
  ];
  const ground = chosen || grounds[0]?.value;
  const drafting = useAction(ask, (answer) => {
    const drafts = draftsOf(answer);
    setMade({ drafts, by: answer.generationModel, place: 0 });
    if (drafts[0] !== undefined) onTake(drafts[0]);
  });
  const taken = made?.drafts[made.place];
  const caution = taken === undefined ? undefined : cautionOf?.(taken);
  if (grounds.length === 0) {
    return (
      <p className="text-soft text-sm">There is no environment and no server group to draft from yet.</p>
    );
  }
  return (
    <div className="stack gap-3 rounded-panel border border-line bg-sunken p-3" data-testid="drafting">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-40 flex-1">
          <Field label="Servers of" name="draftGround">
            {(control) => (
              <Select
                {...control}
                value={ground ?? ""}
                onChange={({ target }) => setChosen(target.value)}
                options={grounds}
              />
            )}
          </Field>
        </div>
        <Button busy={drafting.busy} onClick={() => ground && drafting.run(draftGround(ground))}>
          {made ? "Draft again" : "Draft"}
        </Button>
      </div>
      {made && made.drafts.length > 1 && (
        <Field label="Draft" name="draft" hint="Taking another replaces what the form says.">
          {(control) => (
            <Select
              {...control}
              value={String(made.place)}
              onChange={({ target }) => {
                const place = Number(target.value);
                setMade({ ...made, place });
                onTake(must(made.drafts[place], "the draft that was chosen"));
              }}
              options={made.drafts.map((draft, place) => ({ value: String(place), label: nameOf(draft) }))}
            />
          )}
        </Field>
      )}
      <p role="status" className="text-soft text-sm">
        {made === undefined
          ? "By the environment's model where it has one, which may cost something; else by rules, free."
          : made.drafts.length === 0
            ? "Nothing can be drafted from these tools: those that destroy something, or need an id that nobody knows here, are left out."
            : `Drafted by ${made.by}. Nothing is stored until you create it.`}
      </p>
      {caution !== undefined && <Notice kind="warn">{caution}</Notice>}
      <FormFailure failure={drafting.failure} />
    </div>
  );
}
