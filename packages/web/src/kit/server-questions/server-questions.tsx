/** @module Everything a server waits for, for pages that have no place of their own for it. */
import { lazy, Suspense, useSyncExternalStore } from "react";
import { questionsOf } from "../../api/server-questions.ts";

const AnswerPanel = lazy(async () => ({ default: (await import("./answer-panel.tsx")).AnswerPanel }));

export function ServerQuestions({ serverId }: { serverId: string }) {
  const questions = useSyncExternalStore(questionsOf(serverId).subscribe, questionsOf(serverId).get);
  if (questions.length === 0) return null;
  return (
    <div className="stack max-h-[60dvh] shrink-0 gap-3 overflow-y-auto border-line border-t bg-sunken p-3">
      <Suspense>
        {questions.map((question) => (
          <AnswerPanel key={`${question.askId} ${question.requestId}`} question={question} />
        ))}
      </Suspense>
    </div>
  );
}
