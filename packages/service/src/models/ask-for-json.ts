/** @module One question to a model that is to answer with a JSON object, as judges and narrators ask it. */
import { type Model, startDeadline } from "@fettle/evals";

export interface JsonQuestion {
  /** What the model is, and what it may not do. */
  policy: string;
  text: string;
  responseSchema: object;
  outputTokens: number;
  callMs: number;
  /** Who is waited for, as in "The judge". */
  who: string;
}

/**
 * The object of its answer, or undefined where there is none. `onLate` says what a failure is called once the time is over.
 */
export async function askForJson(
  model: Model,
  question: JsonQuestion,
  signal: AbortSignal,
  onLate: (error: unknown) => unknown = (error) => error,
): Promise<unknown> {
  const deadline = startDeadline(question.callMs, signal, question.who);
  try {
    const { parts } = await model.generate(
      {
        system: question.policy,
        messages: [{ role: "user", text: question.text }],
        tools: [],
        toolChoice: "none",
        parameters: { temperature: 0, maxOutputTokens: question.outputTokens },
        responseSchema: { ...question.responseSchema },
        now: 0,
        position: { prompt: 0, step: 0 },
      },
      { signal: deadline.signal },
    );
    return objectIn(parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""));
  } catch (error) {
    throw deadline.isOver ? onLate(error) : error;
  } finally {
    deadline.release();
  }
}

/** Some models put JSON into a fence, or words around it. */
function objectIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  } catch {
    return undefined;
  }
}
