/** @module What a user wanted in each turn, by the words alone, and how it was met. Pure. */
import { groupBy, terms, verbClasses } from "@fettle/contract/formats";
import { redactedText } from "@fettle/contract/secrets";
import type { Named, Unit } from "../observed/unit.ts";
import { type Scrub, scrubbed } from "../text/scrub.ts";
import type { Reading } from "./reading.ts";
import { isEmptyResult } from "./results.ts";
import type { TurnFacts } from "./unit-facts.ts";

const refusal =
  /\bI(?:'m| am)? (?:can(?:'t|not)|(?:un|not )able to)\b|\b(?:I )?(?:do not|don't) have (?:a |an |the |any )?(?:tools?|access|ability|way|capability)\b|\bno (?:suitable |matching )?tool\b|\bthere is no (?:tool|way)\b/i;
const frustration =
  /\b(?:useless|ridiculous|frustrat\w*|annoying|waste of time|does(?:n't| not) work|not working|still (?:not|wrong|broken)|wrong again|come on|give up)\b|[?!]{2,}/i;
/** Shouting: three words or more, and no small letter. */
const isShouted = (text: string) => !/\p{Ll}/u.test(text) && (text.match(/\p{Lu}{2,}/gu) ?? []).length >= 3;

const rephrasedFrom = 0.6;
const mostNouns = 2;
const mostRead = 4_000;

export function turnFacts(unit: Unit, { surface }: Reading, hide: Scrub): TurnFacts[] {
  return unit.turns.map(({ user, answer }, turn): TurnFacts => {
    const text = scrubbed((user ?? "").slice(0, mostRead), hide).replaceAll(redactedText, " ");
    const calls = unit.calls.filter((call) => call.turn === turn);
    const { tool, score } = surface.meant(text);
    const [firstCall = null] = calls.flatMap(({ serverId, toolName, isPinned }) =>
      serverId !== null && isPinned !== true ? [{ serverId, toolName }] : [],
    );
    const before = unit.turns[turn - 1];
    return {
      intent: intentOf(text),
      bestScore: Math.round(score * 100) / 100,
      bestTool: tool && { serverId: tool.serverId, toolName: tool.name },
      toolCount: calls.length,
      firstCall,
      isAnswerEmpty: user !== null && (answer ?? "").trim() === "",
      isRefusal: refusal.test((answer ?? "").slice(0, mostRead).replaceAll("\u2019", "'")),
      isRephrased:
        isAlike(before?.user ?? "", text) &&
        !unit.calls.some((call) => call.turn === turn - 1 && call.end === "ok" && !isEmptyResult(call)),
      isFrustrated: frustration.test(text) || isShouted(text),
    };
  });
}

/**
 * Words that no two users share say nothing about what is wanted: names, numbers, quotations. A word is tried once, from its
 * first letter, since a visitor may write one that fills a page.
 */
const personal =
  /"[^"]*"|'[^']*'|\u201c[^\u201c\u201d]*\u201d|(?<!\S)\S*(?:\S@\S|\w:\/\/\S|\d)\S*|(?<=[\p{L},;] )\p{Lu}[\p{L}'-]*/gu;

/** @example intentOf("Please cancel my orders 17 and 18") // { id: "delete:order", label: "cancel orders" } */
export function intentOf(text: string): Named | null {
  const words = text.replace(personal, " ").match(/[\p{L}]+/gu) ?? [];
  const said = words.flatMap((word) => terms(word).map((term) => ({ word: word.toLowerCase(), term })));
  const isVerb = (term: string) => verbClasses([term]).size > 0;
  const things = groupBy(
    said.filter(({ term }) => !isVerb(term)),
    ({ term }) => term,
  );
  const nouns = [...things.values()].slice(0, mostNouns).map(([first]) => first);
  if (nouns.length === 0) return null;
  const verb = said.find(({ term }) => isVerb(term));
  const [kind = "any"] = verb ? [...verbClasses([verb.term])].sort() : [];
  const stems = nouns.map(({ term }) => term).sort();
  return {
    id: `${kind}:${stems.join("+")}`,
    label: [...(verb ? [verb] : []), ...nouns].map(({ word }) => word).join(" "),
  };
}

function isAlike(one: string, other: string): boolean {
  const [mine, theirs] = [new Set(terms(one)), new Set(terms(other))];
  // Two texts without a word have no share of words either: NaN is not large enough.
  return mine.intersection(theirs).size / mine.union(theirs).size >= rephrasedFrom;
}
