/** @module `fettle explain`: what a check asks, by which sentence, why it matters and how to mend what it finds. */
import { type ExplainedCheck, explainableIds, explainCheck } from "@fettle/checks";
import { usageError } from "../../cli-error.ts";
import { linksOf, wordsOf } from "../../conformance/check-reference.ts";
import type { Outcome, View } from "../../output/printer.ts";
import { lines, style, type Text, text, wrap } from "../../output/text.ts";
import type { Call } from "../../program/command.ts";
import { unknownName } from "../../program/near-names.ts";
import type { noFlags } from "../../program/shared-flags.ts";
import type { explainArguments } from "./index.ts";

export async function run(call: Call<typeof noFlags, typeof explainArguments>): Promise<Outcome> {
  const { check: id } = call.arguments;
  const check = explainCheck(id);
  if (!check) {
    const seeAll = "`docs/conformance-checks.md` lists all of them.";
    throw usageError(`No check is called "${id}".`, unknownName(id, explainableIds(), seeAll));
  }
  const command = commandFor(check);
  return {
    value: { ...check, command },
    human: (view) => explanation(check, view),
    hint: style.cyan(command),
  };
}

/** Where a server of one's own often is: the command can be pasted, and the address replaced. */
const example = "http://127.0.0.1:3001/mcp";

/** Runs it on a server; checks of sign-in run together, as one flow. */
function commandFor({ suite, id }: ExplainedCheck): string {
  return suite === "oauth"
    ? `fettle oauth conformance ${example} --protocol-version 2025-11-25 --registration dcr --conformance-checks`
    : `fettle ${suite} conformance ${example} --check-id ${id}`;
}

function explanation(check: ExplainedCheck, { width }: View): Text {
  const { id, title, suite, category, asks, rules, why, mend, decides } = check;
  const room = Math.min(width, 100) - 2;
  const paragraph = (heading: string, words: string) => [
    "",
    style.bold(heading),
    ...wrap(words, room).map((line) => text`  ${line}`),
  ];
  const words = wordsOf(rules).map(({ word, editions }) => (editions ? `${word} in ${editions}` : word));
  return lines([
    text`${style.bold(id)}  ${title}`,
    style.dim(`${suite} conformance${category ? `, ${category}` : ", advice"}`),
    ...paragraph("Asks", asks),
    "",
    style.bold("Goes by"),
    ...linksOf(rules).map(({ title: section, url }) => text`  ${section}: ${style.cyan(url)}`),
    text`  ${style.dim(`${words.join("; ")}: ${decides ? "decides a run" : "advice, fails no run"}`)}`,
    ...paragraph("Why it matters", why),
    ...paragraph("How to mend it", mend),
  ]);
}
