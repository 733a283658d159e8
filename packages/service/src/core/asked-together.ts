/** @module One read for everyone who asks in the same moment, as all who hear of one event do. */
import { setImmediate as turn } from "node:timers/promises";

/**
 * Whoever asks before the read begins is among those it is about; later ones make the next. What was committed before a question
 * counts in its answer.
 *
 * @example
 * const askProject = askedTogether((ids: readonly string[]) => findProjects(db, ids));
 * const byId = await askProject("prj_1");
 */
export function askedTogether<Question, Answers>(
  read: (questions: readonly Question[]) => Promise<Answers>,
): (question: Question) => Promise<Answers> {
  let next: { questions: Question[]; answers: Promise<Answers> } | undefined;

  async function readNext(questions: readonly Question[]): Promise<Answers> {
    await turn();
    next = undefined;
    return read(questions);
  }

  return (question) => {
    if (!next) {
      const questions: Question[] = [];
      next = { questions, answers: readNext(questions) };
    }
    next.questions.push(question);
    return next.answers;
  };
}
