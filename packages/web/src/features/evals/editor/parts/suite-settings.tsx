/** @module What is so for every case of a suite: its name, who answers, what passes, and the judge. */
import type { EvalSuiteDetail, EvalSuiteDocument, EvalSuiteEdition } from "@fettle/contract/evals";
import type { ReactNode } from "react";
import { ModelSelect } from "../../../../kit/model-select.tsx";
import { Checkbox } from "../../../../ui/checkbox.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Input } from "../../../../ui/input.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { Textarea } from "../../../../ui/textarea.tsx";
import { having, type Settings, withDocument } from "../suite-draft.ts";
import { useSuiteEditing } from "../use-suite-editing.ts";
import { CheckList } from "./check-list.tsx";
import { JudgeFields } from "./judge-fields.tsx";
import { MatchFields } from "./match-fields.tsx";
import { fileRefusal, SuiteDraftFrame } from "./suite-draft-frame.tsx";

export interface SuiteSettingsProps {
  suite: EvalSuiteDetail;
  edition: EvalSuiteEdition;
  userId: string;
  organizationId: string;
}

type Change<Thing> = { [Key in keyof Thing]?: Thing[Key] | undefined };

export function SuiteSettings({ suite, edition, userId, organizationId }: SuiteSettingsProps) {
  const address = { projectId: suite.projectId, suiteId: suite.id, userId };
  const state = useSuiteEditing(address, edition, fileRefusal(suite));
  const { editing, isUnread, read } = state;
  const { draft, edit } = editing;
  const { document } = draft;
  const { settings = {} } = document;
  const set = (change: Change<EvalSuiteDocument>) => edit(withDocument(draft, having(document, change)));
  const setSettings = (change: Change<Settings>) => {
    const next = having(settings, change);
    set({ settings: Object.keys(next).length === 0 ? undefined : next });
  };
  return (
    <SuiteDraftFrame state={state} title="Settings" suite={suite}>
      {isUnread && (
        <Notice kind="warn" title="The YAML cannot be read yet">
          It was being edited under Cases. Mend its findings there first; nothing here can be changed before.
        </Notice>
      )}
      <fieldset disabled={suite.origin === "file" || isUnread} className="stack min-w-0 max-w-2xl gap-8">
        <Group title="The suite">
          <Field label="Name" name="name">
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                value={document.name}
                onChange={(event) => set({ name: event.target.value })}
              />
            )}
          </Field>
          <Field label="Description" name="description" optional>
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                className="min-h-14"
                value={document.description ?? ""}
                onChange={(event) => set({ description: event.target.value || undefined })}
              />
            )}
          </Field>
          <Field label="Tags" name="tags" optional hint="Separated by commas.">
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                defaultValue={(document.tags ?? []).join(", ")}
                onChange={({ target }) => {
                  const tags = target.value.split(",").map((tag) => tag.trim());
                  const said = tags.filter((tag) => tag !== "");
                  set({ tags: said.length === 0 ? undefined : said });
                }}
              />
            )}
          </Field>
        </Group>
        <Group
          title="Who answers"
          about="What a case does not say itself. A launch may choose another model."
        >
          <Field label="Model" name="model">
            {(control) => (
              <ModelSelect
                {...control}
                organizationId={organizationId}
                {...(document.model !== undefined && { current: document.model })}
                value={document.model ?? ""}
                onChange={(event) => set({ model: event.target.value || undefined, provider: undefined })}
              />
            )}
          </Field>
          <Checkbox
            label="Always use this model"
            hint="Otherwise a client or environment that the suite runs against brings its own."
            checked={settings.modelSource === "suite"}
            onChange={(event) => setSettings({ modelSource: event.target.checked ? "suite" : undefined })}
          />
          <Field label="System prompt" name="systemPrompt" optional>
            {(control) => (
              <Textarea
                {...control}
                rows={3}
                value={document.systemPrompt ?? ""}
                onChange={(event) => set({ systemPrompt: event.target.value || undefined })}
              />
            )}
          </Field>
          <NumberField
            label="Temperature"
            name="temperature"
            value={document.temperature}
            step="0.1"
            onChange={(temperature) => set({ temperature })}
          />
        </Group>
        <Group title="What passes">
          <NumberField
            label="Repetitions that must pass, in percent"
            name="settings.minimumAccuracy"
            hint="Of each case, and of the whole run. Left empty, all must."
            value={settings.minimumAccuracy}
            onChange={(minimumAccuracy) => setSettings({ minimumAccuracy })}
          />
          <NumberField
            label="Repetitions of every case, at least"
            name="settings.minimumIterations"
            value={settings.minimumIterations}
            onChange={(minimumIterations) => setSettings({ minimumIterations })}
          />
          <Checkbox
            label="A call that fails fails its case"
            hint="Whatever its checks say."
            checked={settings.failOnToolError !== false}
            onChange={(event) => setSettings({ failOnToolError: event.target.checked ? undefined : false })}
          />
          <MatchFields
            value={settings.matchOptions}
            pointer="settings.matchOptions"
            usual="As usual"
            onChange={(matchOptions) => setSettings({ matchOptions })}
          />
          <fieldset className="stack min-w-0 gap-3">
            <legend className="mb-2 font-medium text-sm">Checks of every case</legend>
            <CheckList
              checks={settings.checks ?? []}
              pointer="settings.checks"
              written={{ text: read.text, places: read.places, path: ["settings", "checks"] }}
              onChange={(checks) => setSettings({ checks: checks.length === 0 ? undefined : checks })}
            />
          </fieldset>
        </Group>
        <Group
          title="Judge"
          about="Grades finished runs by what the answers say. Always advisory: no grade changes whether a run passes."
        >
          <JudgeFields
            organizationId={organizationId}
            judge={settings.judge ?? {}}
            onChange={(judge) => setSettings({ judge })}
          />
        </Group>
      </fieldset>
    </SuiteDraftFrame>
  );
}

function Group({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <fieldset className="stack min-w-0 gap-4">
      <legend className="mb-3">
        <span className="font-semibold text-base">{title}</span>
        {about && <span className="mt-0.5 block text-soft text-sm">{about}</span>}
      </legend>
      {children}
    </fieldset>
  );
}

interface NumberFieldProps {
  label: string;
  name: string;
  hint?: string;
  step?: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}

function NumberField({ label, name, hint, step, value, onChange }: NumberFieldProps) {
  return (
    <Field label={label} name={name} optional {...(hint && { hint })}>
      {(control) => (
        <Input
          {...control}
          type="number"
          min={0}
          step={step}
          className="max-w-28"
          value={value ?? ""}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.valueAsNumber)}
        />
      )}
    </Field>
  );
}
