/** @module `fettle explain`: what a check asks, by which sentence, why it matters and how to mend what it finds. */
import { type ExplainedCheck, explainableIds, explainCheck } from "@fettle/checks";
import { usageError } from "../../cli-error.ts";
import { linksOf, wordsOf } from "../../conformance/check-reference.ts";
import { inQuotes } from "../../output/in-quotes.ts";
import type { Outcome, View } from "../../output/printer.ts";
import { count, table } from "../../output/table.ts";
import { lines, style, type Text, text, wrap } from "../../output/text.ts";
import type { Call } from "../../program/command.ts";
import { unknownName } from "../../program/near-names.ts";
import type { explainArguments, explainFlags } from "./flags.ts";

export async function run(call: Call<typeof explainFlags, typeof explainArguments>): Promise<Outcome> {
  const { check: id } = call.arguments;
  if (id === undefined) return listOf(call.flags.suite);
  const check = explainCheck(id);
  if (!check) {
    const seeAll = "See all with `fettle explain`.";
    throw usageError(`No check is called ${inQuotes(id)}.`, unknownName(id, explainableIds(), seeAll));
  }
  const command = commandFor(check);
  const isKnown = call.world.env[addressVariable] !== undefined;
  const before = style.dim(`Before: set ${addressVariable} to the address of your server.`);
  return {
    value: { ...check, command },
    human: (view) => explanation(check, view),
    hint: isKnown ? style.cyan(command) : text`${style.cyan(command)}\n${before}`,
  };
}

function listOf(suite: string | undefined): Outcome {
  const checks = explainableIds().flatMap((id) => {
    const check = explainCheck(id);
    return check && (suite === undefined || check.suite === suite) ? [check] : [];
  });
  const rows = checks.map(({ id, suite: of, title, decides }) => [
    style.bold(id),
    of,
    decides ? "decides" : "advice",
    title,
  ]);
  const [first] = checks;
  const columns = [
    { header: "CHECK" },
    { header: "SUITE" },
    { header: "A RUN" },
    { header: "ASKS", shrinks: true },
  ];
  return {
    value: {
      checks: checks.map(({ id, suite: of, category, title, decides }) => ({
        id,
        suite: of,
        ...(category !== undefined && { category }),
        title,
        decides,
      })),
    },
    human: ({ width }) => lines([table(columns, rows, width), "", count(rows.length, "check")]),
    ...(first && { hint: style.cyan(`fettle explain ${first.id}`) }),
  };
}

/** Whose server it is, only the person knows. */
const addressVariable = "SERVER_URL";

/** Runs it on a server; checks of sign-in run together, as one flow. */
function commandFor({ suite, id }: ExplainedCheck): string {
  const server = `--url "$${addressVariable}"`;
  return suite === "oauth"
    ? `fettle oauth conformance ${server} --protocol-version 2025-11-25 --registration dcr --conformance-checks`
    : `fettle ${suite} conformance ${server} --check-id ${id}`;
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
    ...paragraph("Asks, in our words", `${words.join("; ")}: ${asks}`),
    "",
    style.bold("Goes by"),
    ...linksOf(rules).map(({ title: section, url }) => text`  ${section}: ${style.cyan(url)}`),
    text`  ${style.dim(decides ? "decides a run" : "advice, fails no run")}`,
    ...paragraph("Why it matters", why),
    ...paragraph("How to mend it", mend),
  ]);
}
