/** @module The persona that needs no model: pursues a goal by fixed rules, so that a swarm runs with no key and the same every time. It is not a person, and is labelled as what it is. Pure. */
import { createHash } from "node:crypto";
import { must, terms, verbClasses } from "@fettle/contract/formats";
import { type SpeakingStyle, speak, speakingStyles } from "./speaking-styles.ts";

export interface PersonaCard {
  id: string;
  name: string;
  role: string;
  notes: string;
}

/** One visitor's turn and what came of it. */
export interface PlayedTurn {
  said: string;
  /** The assistant's last words. */
  answer: string;
  /** Tools that gave a result, and tools that failed. */
  succeeded: number;
  failed: number;
}

export interface NextWords {
  message: string;
  endSession: boolean;
}

/** Shares of the goal's nouns that an answer names. */
const enough = 0.6;

export function styleOf(personaId: string): SpeakingStyle {
  const first = createHash("sha256").update(personaId).digest().readUInt32BE(0);
  return must(speakingStyles[first % speakingStyles.length], "a style for each persona");
}

/**
 * What the persona says next.
 *
 * @example
 * nextWords({ persona, goal: "Find a book about bees", played: [] }).message // "find a book about bees"
 */
export function nextWords({
  persona,
  goal,
  played,
}: {
  persona: PersonaCard;
  goal: string;
  played: readonly PlayedTurn[];
}): NextWords {
  const last = played.at(-1);
  const style = styleOf(persona.id);
  if (!last) return { message: speak(style, wishOf(goal)), endSession: false };
  if (goalReachedIn(goal, last)) return { message: "Thanks, that is all I needed.", endSession: true };
  const asked = askedFields(last.answer);
  if (asked.length > 0) {
    const known = `${goal}\n${persona.notes}`;
    const message = asked.map((field) => answerTo(field, known)).join(". ");
    // The same question again, and nothing new to say to it.
    if (played.filter(({ said }) => said === message).length < 2) return { message, endSession: false };
  }
  const rephrased = `Let me put it another way: ${wishOf(goal)}.`;
  const hasRephrased = played.some(({ said }) => said === rephrased);
  if (last.failed > 0 && !hasRephrased) return { message: rephrased, endSession: false };
  if (isStuck(goal, played)) {
    return { message: "This is not working for me. I will leave it.", endSession: true };
  }
  return { message: hasRephrased ? "And what about the rest of it?" : rephrased, endSession: false };
}

/** As an order, in lower case where that is no name: it stands after "I want to". */
function wishOf(goal: string): string {
  const bare = goal
    .trim()
    .replace(
      /^(?:the (?:user|visitor|person|customer)|they|he|she|i) (?:wants?|needs?|would like|tries|try) to /i,
      "",
    )
    .replace(/[.!?\s]+$/, "");
  const [first = ""] = bare.split(/\s/);
  const isOrder =
    verbClasses(terms(first)).size > 0 || /^(?:buy|order|ask|plan|learn|choose|compare)$/i.test(first);
  return isOrder ? bare.charAt(0).toLowerCase() + bare.slice(1) : bare;
}

/** What the goal is about: its words but for those that only say what is to be done. */
function nounsOf(text: string): Set<string> {
  return new Set(terms(text).filter((word) => verbClasses([word]).size === 0));
}

const shareOf = (goal: string, answer: string) => {
  const nouns = nounsOf(goal);
  const named = new Set(terms(answer));
  return nouns.size === 0 ? 1 : [...nouns].filter((noun) => named.has(noun)).length / nouns.size;
};

/** A turn whose tools all worked, and whose answer names most of what the goal is about. */
export function goalReachedIn(goal: string, { answer, succeeded, failed }: PlayedTurn): boolean {
  return succeeded > 0 && failed === 0 && shareOf(goal, answer) >= enough;
}

/** Two turns that brought no more of what was asked for than there was before, whether or not a tool gave something. */
function isStuck(goal: string, played: readonly PlayedTurn[]): boolean {
  const shares = played.map(({ answer, succeeded, failed }) =>
    succeeded === 0 && failed > 0 ? 0 : shareOf(goal, answer),
  );
  const best = Math.max(0, ...shares.slice(0, -2));
  return shares.length >= 2 && shares.slice(-2).every((share) => share <= best);
}

/** Fields that an answer asks for: `I need city, date`, `Which city?`, `please provide the order id`. */
function askedFields(answer: string): string[] {
  const lists = answer.matchAll(
    /\b(?:need|provide|specify|missing|required|tell me|give me|which|what(?: is| are)?)\b:?\s+(?:the |your |a |an )*([\p{L}\p{N}_ ,]{2,80}?)(?=[.?!:;]|$)/giu,
  );
  const isAsking = /\?|\b(?:need|provide|specify|missing|required|tell me|give me)\b/i.test(answer);
  if (!isAsking) return [];
  return [...lists]
    .flatMap(([, list = ""]) => list.split(/,|\band\b|\bor\b/))
    .map((field) => field.trim())
    .filter((field) => field !== "" && field.split(/\s+/).length <= 4)
    .slice(0, 4);
}

/** `city: Paris`, `city is Paris`, `in Paris` for a city; else what is quoted, or a number where one is asked for. */
function answerTo(field: string, known: string): string {
  const name = field.replace(/[_-]/g, " ").trim();
  const words = name
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{N}]/gu, ""))
    .join("\\s+");
  const said = new RegExp(
    `\\b${words}\\b\\s*(?::|=|is|are|called|named)?\\s*("[^"]+"|[^\\s,.;]+)`,
    "iu",
  ).exec(known)?.[1];
  if (said !== undefined) return `${name}: ${said}`;
  const wantsNumber = /\b(?:id|number|count|amount|quantity|limit|age|year)\b/i.test(name);
  const number = wantsNumber ? /\b[A-Z]{0,6}-?\d+(?:\.\d+)?\b/.exec(known)?.[0] : undefined;
  if (number !== undefined) return `${name}: ${number}`;
  const quoted = /"([^"]+)"/.exec(known)?.[1];
  if (quoted !== undefined && /\b(?:title|name|query|text|message|subject|keyword)\b/i.test(name))
    return `${name}: "${quoted}"`;
  return `${name}: I do not know`;
}
