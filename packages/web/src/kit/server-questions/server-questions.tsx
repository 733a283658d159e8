/** @module Everything a server waits for, for pages that have no place of their own for it. */
import { lazy, Suspense, useSyncExternalStore } from "react";
import { questionsOf, type ServerQuestion } from "../../api/server-questions.ts";

const AnswerPanel = lazy(async () => ({ default: (await import("./answer-panel.tsx")).AnswerPanel }));

export function ServerQuestions({ serverId }: { serverId: string }) {
  const questions = useSyncExternalStore(questionsOf(serverId).subscribe, questionsOf(serverId).get);
  if (questions.length === 0) return null;
  // A question that any of several calls may have raised waits at each of them; here it stands once.
  const shown = [...new Map(questions.map((question) => [sameAs(question), question])).values()];
  return (
    <div className="stack max-h-[60dvh] shrink-0 gap-3 overflow-y-auto border-line border-t bg-sunken p-3">
      <Suspense>
        {shown.map((question) => (
          <AnswerPanel key={`${question.askId} ${question.requestId}`} question={question} />
        ))}
      </Suspense>
    </div>
  );
}

function sameAs({ candidates, askId, requestId, method, params }: ServerQuestion): string {
  return candidates ? `${method} ${JSON.stringify(params)}` : `${askId} ${requestId}`;
}
