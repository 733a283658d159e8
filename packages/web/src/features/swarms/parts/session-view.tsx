/** @module One session: what was said and called, how it ended, and how it was graded. While it is under way, what was told so far. */
import type { JourneyRunAttempt, JourneyRunDetail, RubricCriterion } from "@fettle/contract/visitors";
import { useOperation } from "../../../api/operation.ts";
import { Loaded } from "../../../kit/loaded.tsx";
import { Transcript } from "../../../kit/recorded/transcript.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { dollars, percent, took } from "../../../lib/amounts.ts";
import { Chip } from "../../../ui/chip.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { criterionName } from "../criterion-name.ts";
import type { LiveTurn } from "../live-session.ts";
import { endWord, many, sessionWords, stopWords } from "../run-words.ts";
import { sessionRecording } from "../session-recording.ts";

export interface SessionViewProps {
  run: JourneyRunDetail;
  session: JourneyRunAttempt;
  live: readonly LiveTurn[];
}

export function SessionView({ run, session, live }: SessionViewProps) {
  const { tone, word } = sessionWords[session.state];
  return (
    <div data-testid="journey-session" data-state={session.state}>
      <Panel
        title={`${run.persona.name} on ${session.targetName}, session ${session.index + 1}`}
        about={factsOf(session)}
        aside={<Chip tone={tone}>{word}</Chip>}
      >
        <div className="stack gap-5">
          {session.error !== null && (
            <Notice kind={session.state === "rate_limited" ? "warn" : "bad"}>
              <VisibleText text={stopWords(session.error)} />
            </Notice>
          )}
          <Grades session={session} rubric={run.rubric} />
          {session.state === "running" ? (
            <LiveTurns turns={live} persona={run.persona.name} />
          ) : session.state === "pending" ? (
            <p className="text-soft">
              It waits: visitors come to a target one after the other, and to three targets at once.
            </p>
          ) : (
            <Said run={run} session={session} />
          )}
        </div>
      </Panel>
    </div>
  );
}

function factsOf(session: JourneyRunAttempt): string {
  const { turns, toolCalls, toolErrors, costUsd, startedAt, endedAt } = session;
  return [
    ...(turns === null ? [] : [many(turns, "turn")]),
    ...(toolCalls === null ? [] : [many(toolCalls, "call")]),
    ...(toolErrors ? [`${toolErrors} failed`] : []),
    ...(startedAt === null || endedAt === null ? [] : [took(endedAt - startedAt)]),
    ...(costUsd ? [dollars(costUsd)] : []),
    ...(endWord(session) === null ? [] : [endWord(session)]),
  ].join(" · ");
}

function Said({ run, session }: Pick<SessionViewProps, "run" | "session">) {
  const { projectId, id: runId } = run;
  const query = useOperation("getJourneyRunSession", { projectId, runId, sessionKey: session.id });
  return (
    <Loaded query={query} what="what was said">
      {(detail) => (
        <>
          {detail.warnings.map((warning) => (
            <Notice key={warning} kind="warn">
              <VisibleText text={warning} />
            </Notice>
          ))}
          {detail.messages.length === 0 ? (
            <p className="text-soft">Nothing was said.</p>
          ) : (
            <Transcript recording={sessionRecording(detail)} user={run.persona.name} />
          )}
        </>
      )}
    </Loaded>
  );
}

function LiveTurns({ turns, persona }: { turns: readonly LiveTurn[]; persona: string }) {
  return (
    <div className="stack gap-4" data-testid="live-turns">
      {turns.map(({ said, answer, succeeded, failed }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns are only ever added.
        <div key={at} className="stack gap-1.5 border-line border-l-2 pl-3">
          <p className="break-words">
            <span className="font-medium text-faint text-xs">{persona}: </span>
            <VisibleText text={said} />
          </p>
          <p className="break-words text-soft">
            <span className="font-medium text-faint text-xs">Agent: </span>
            <VisibleText text={answer} />
          </p>
          <p className="text-faint text-sm">
            {many(succeeded + failed, "call")}
            {failed > 0 && `, ${failed} failed`}
          </p>
        </div>
      ))}
      <p role="status" className="flex items-center gap-2.5 text-soft">
        <Spinner /> They are talking …
      </p>
    </div>
  );
}

function Grades({
  session: { grading, goal },
  rubric,
}: Pick<SessionViewProps, "session"> & { rubric: readonly RubricCriterion[] }) {
  if (!grading && !goal) return null;
  return (
    <ul aria-label="Grades" className="grid gap-2">
      {goal && (
        <Grade
          passed={goal.passed}
          name={
            goal.score === null
              ? "Goal reached"
              : `Goal reached: ${percent(goal.score)}, where ${percent(goal.threshold)} are enough`
          }
          reason={goal.error ?? goal.reason ?? (goal.status === "pending" ? "Not judged yet." : "")}
        />
      )}
      {grading?.criteria.map(({ id, passed, reason }) => (
        <Grade key={id} passed={passed} name={nameById(rubric, id)} reason={reason} />
      ))}
      {grading?.error && <Grade passed={null} name="The checks" reason={grading.error} />}
    </ul>
  );
}

function nameById(rubric: readonly RubricCriterion[], id: string): string {
  const criterion = rubric.find((each) => each.id === id);
  return criterion ? criterionName(criterion) : id;
}

/** Null: it could not be judged, which is no failure. */
function Grade({ passed, name, reason }: { passed: boolean | null; name: string; reason: string }) {
  const [tone, word] =
    passed === null
      ? (["warn", "Unknown"] as const)
      : passed
        ? (["good", "Passed"] as const)
        : (["bad", "Failed"] as const);
  return (
    <li className="flex flex-wrap items-baseline gap-2 text-sm">
      <Chip tone={tone}>{word}</Chip>
      <span className="font-medium">{name}</span>
      <span className="min-w-0 break-words text-soft">
        <VisibleText text={reason} />
      </span>
    </li>
  );
}
