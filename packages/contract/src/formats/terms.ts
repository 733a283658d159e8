/** @module Words as the rule model, the rule judge and insights read them: split, lower-cased, without stop words, cut to a stem; and the classes of verbs. Pure. */
import { keysOf } from "../core/known.ts";

const stopWords = new Set(
  (
    "a an the of to for in on at by with from and or is are be was were do does did can could would should please me " +
    "my i you your it its this that these those what which who whom as into about using use want need like just some any " +
    "all there here s t"
  ).split(" "),
);

/** @example terms("What does readNote_7 say?") // ["read", "note", "say"] */
export function terms(text: string): string[] {
  return words(text)
    .filter((word) => !stopWords.has(word) && !/^\d+$/.test(word))
    .map(stem);
}

function words(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

const stems: readonly (readonly [RegExp, number, string])[] = [
  [/ies$/, 4, "y"],
  [/(?<=ch|sh|x|ss)es$/, 4, ""],
  [/(?<!s)s$/, 3, ""],
  [/ing$/, 5, ""],
  [/ed$/, 4, ""],
];

/** The first ending that fits a long enough word. */
function stem(word: string): string {
  const fitting = stems.find(([ending, longerThan]) => word.length > longerThan && ending.test(word));
  return fitting ? word.replace(fitting[0], fitting[2]) : word;
}

const verbs = {
  read: "get fetch read show display retrieve view open describe see give tell look check say contain summarize mean",
  list: "list enumerate browse",
  search: "search find lookup query discover locate",
  create: "create add make new insert generate draw write schedule book register",
  update: "update edit modify change set rename move assign mark",
  delete: "delete remove drop cancel clear destroy purge erase",
  send: "send email post message notify reply publish",
  compute: "compute calculate sum add subtract multiply divide convert count",
};
export type VerbClass = keyof typeof verbs;

const classesOf = new Map<string, VerbClass[]>();
for (const name of keysOf(verbs)) {
  for (const verb of verbs[name].split(" ")) {
    // A verb may do two kinds of things: one adds an entry, and one adds numbers.
    classesOf.set(stem(verb), [...(classesOf.get(stem(verb)) ?? []), name]);
  }
}

export function verbClasses(wordsOfText: readonly string[]): Set<VerbClass> {
  return new Set(wordsOfText.flatMap((word) => classesOf.get(word) ?? []));
}
