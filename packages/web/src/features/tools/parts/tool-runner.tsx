/** @module One tool: what it says and its arguments in one pane, what became of the call in the next. */
import { escapeHidden } from "@fettle/contract/formats";
import type { ProjectServer } from "@fettle/contract/servers";
import { Play } from "lucide-react";
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { declaredOf } from "../../../api/declared.ts";
import type { Tool } from "../../../api/listed-tools.ts";
import { useCommandFacts } from "../../../kit/command-facts.ts";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { NotCheckedParts } from "../../../kit/not-checked-parts.tsx";
import { bringIntoView, Pane } from "../../../kit/panes.tsx";
import { focusFirstFault } from "../../../kit/schema-form/first-fault.ts";
import { type FormState, pathKey } from "../../../kit/schema-form/form-state.ts";
import { type FormMode, SchemaForm } from "../../../kit/schema-form/schema-form.tsx";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { isJsonObject } from "../../../lib/json-exact.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Input } from "../../../ui/input.tsx";
import { Kbd } from "../../../ui/kbd.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { hintsOf, taskSupportOf, titleOf } from "../tool-hints.ts";
import { useToolRun } from "../use-tool-run.ts";

/** Empty until the first call: the form need not wait for it. */
const ToolResult = lazy(async () => ({ default: (await import("./tool-result.tsx")).ToolResult }));

export interface ToolRunnerProps {
  server: ProjectServer;
  tool: Tool;
  state: FormState;
  onState: (state: FormState) => void;
  mode: FormMode;
  onMode: (mode: FormMode) => void;
  /** The calls so far, below the result. */
  calls: ReactNode;
}

export function ToolRunner({ server, tool, state, onState, mode, onMode, calls }: ToolRunnerProps) {
  const value = state.value ?? {};
  const args = isJsonObject(value) ? value : {};
  /** None: as the server's settings say. */
  const [seconds, setSeconds] = useState<number>();
  const takesTasks = declaredOf(server.id).get().tasks;
  const support = taskSupportOf(tool);
  const [asTask, setAsTask] = useState(support === "required");
  const resultPane = useRef<HTMLElement>(null);
  const { latest, doubts, check, isRunning, run, sendAnyway, cancel, forget } = useToolRun(
    server,
    tool,
    args,
    {
      limitMs: seconds === undefined ? undefined : seconds * 1_000,
      asTask: asTask && takesTasks,
      onSent: () => bringIntoView(resultPane),
    },
  );
  const offline = useWriteBlock();
  const drafts = Object.values(state.drafts);
  const blocked =
    drafts.length > 0
      ? "A field holds text that is no value yet."
      : isJsonObject(value)
        ? offline
        : "Arguments are an object.";

  useCommandFacts({ tool: tool.name, arguments: escapeHidden(JSON.stringify(value)) });

  const form = useRef<HTMLFormElement>(null);
  // The warning above a long form would be out of sight, and Run would seem to do nothing.
  useEffect(() => {
    if (doubts.length > 0) focusFirstFault(form.current, doubts);
  }, [doubts]);

  const press = (work: () => Promise<void>) => {
    if (blocked || isRunning) return;
    void work();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    press(run);
  };
  const title = titleOf(tool);

  return (
    <>
      <Pane
        title={tool.name}
        aside={
          <span className="flex flex-wrap justify-end gap-1">
            {hintsOf(tool).map(({ word, tone, about }) => (
              <Chip key={word} plain tone={tone} title={about}>
                {word}
              </Chip>
            ))}
          </span>
        }
        foot={
          <>
            <span
              className="flex items-center gap-1.5"
              title="The longest silence of the server; progress starts it anew, and it stands still while the server waits for you."
            >
              Limit
              <span className="w-18">
                <Input
                  type="number"
                  min={1}
                  max={3600}
                  aria-label="Limit in seconds"
                  placeholder="auto"
                  value={seconds ?? ""}
                  onChange={({ target }) =>
                    setSeconds(
                      target.value === "" ? undefined : Math.min(3600, Math.max(1, Number(target.value))),
                    )
                  }
                />
              </span>
              s
            </span>
            {takesTasks && support !== "none" && (
              <Checkbox
                label="As a task"
                checked={asTask}
                disabled={support === "required"}
                title={support === "required" ? "The tool says that it runs only as a task." : undefined}
                onChange={({ target }) => setAsTask(target.checked)}
              />
            )}
            <span className="max-sm:hidden">
              <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd>
            </span>
            {doubts.length > 0 && (
              <span data-testid="argument-problems" role="status" className="ml-auto text-bad text-sm">
                {doubts.length === 1 ? "1 problem" : `${doubts.length} problems`}
              </span>
            )}
            <Button
              look="primary"
              className={doubts.length > 0 ? undefined : "ml-auto"}
              busy={isRunning}
              aria-disabled={blocked ? true : undefined}
              title={blocked}
              icon={<Play aria-hidden="true" className="size-3.5" />}
              onClick={() => press(run)}
            >
              Run
            </Button>
          </>
        }
      >
        <form
          ref={form}
          noValidate
          aria-label={`Arguments of ${tool.name}`}
          className="stack gap-4"
          onKeyDown={onKeyDown}
          onSubmit={(event) => event.preventDefault()}
        >
          {(title !== undefined || typeof tool.description === "string") && (
            <div className="max-w-[70ch] text-soft">
              {title && (
                <p className="font-medium">
                  <VisibleText text={title} />
                </p>
              )}
              {typeof tool.description === "string" && (
                <p className="whitespace-pre-line">
                  <VisibleText text={tool.description} />
                </p>
              )}
            </div>
          )}
          {doubts.length > 0 && (
            <Notice kind="warn" role="alert" title="The schema disagrees">
              <ul className="mb-2">
                {doubts.map(({ at, message }) => (
                  <li key={`${at} ${message}`}>
                    {at && <code className="mr-1 text-code">{at}</code>}
                    {message}
                  </li>
                ))}
              </ul>
              <Button onClick={() => press(sendAnyway)}>Send anyway</Button>
            </Notice>
          )}
          <SchemaForm
            label="Arguments"
            schema={tool.inputSchema}
            state={state}
            mode={mode}
            onMode={onMode}
            foldsOptional
            faults={doubts}
            onChange={(next) => {
              forget();
              onState(next);
            }}
          />
          {drafts.length > 0 && !state.drafts[pathKey([])] && (
            <Notice kind="bad">
              {drafts.map(({ path }) => path.join(".")).join(", ")}: the text there is no value yet, so
              nothing can be sent.
            </Notice>
          )}
          {check?.kind === "unusable" && (
            <Notice kind="warn" title="The arguments were not checked">
              <p>
                The schema <VisibleText text={check.why} />.
              </p>
            </Notice>
          )}
          {check?.kind === "checked" && check.unchecked.length > 0 && (
            <NotCheckedParts title="Not all of the schema was checked" parts={check.unchecked} />
          )}
        </form>
        <details className="mt-5">
          <summary className="w-fit rounded-[4px] text-sm text-soft">
            Definition as the server sent it
          </summary>
          <div className="mt-2">
            <JsonView value={tool} label="definition" openDepth={2} />
          </div>
        </details>
      </Pane>
      <Pane ref={resultPane} title="Result">
        <div className="stack gap-6">
          <Suspense>
            <ToolResult
              address={{ projectId: server.projectId, serverId: server.id }}
              tool={tool}
              call={latest}
              onCancel={() => void cancel()}
              onAgain={() => press(run)}
            />
          </Suspense>
          {calls}
        </div>
      </Pane>
    </>
  );
}
