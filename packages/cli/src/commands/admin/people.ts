/** @module `fettle admin people`: everyone who has an account on the service of this machine. */
import type { AdminPerson } from "@fettle/service";
import { withAdmin } from "../../admin/with-admin.ts";
import type { Outcome } from "../../output/printer.ts";
import { count, table } from "../../output/table.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { adminFlags } from "./flags.ts";

export async function run({ flags, world, advise }: Call<typeof adminFlags, NoArguments>): Promise<Outcome> {
  const items = await withAdmin(world, flags, (admin) => admin.listPeople());
  const columns = [
    { header: "EMAIL" },
    { header: "NAME", shrinks: true },
    { header: "SIGNS IN WITH" },
    { header: "ORGANIZATIONS", shrinks: true },
    { header: "LAST SEEN" },
  ];
  const [first] = items;
  return {
    value: { items },
    human: ({ width }) =>
      items.length === 0
        ? text`Nobody has an account yet. ${style.cyan(advise("fettle serve").line)} prints a link to set up.`
        : lines([
            table(
              columns,
              items.map((person) => [
                person.email,
                style.bold(person.name),
                waysOf(person),
                person.organizations.map(({ name, role }) => `${name} (${role})`).join(", ") || "-",
                person.lastSeenAt === null ? "-" : new Date(person.lastSeenAt).toISOString().slice(0, 10),
              ]),
              width,
            ),
            text`\n${count(items.length, "person", "people")}`,
          ]),
    ...(first && { hint: style.cyan(`fettle admin sign-in-link --email ${first.email}`) }),
  };
}

function waysOf({ hasPassword, hasProvider }: AdminPerson): string {
  const ways = [...(hasPassword ? ["password"] : []), ...(hasProvider ? ["provider"] : [])];
  return ways.join(", ") || "link only";
}
