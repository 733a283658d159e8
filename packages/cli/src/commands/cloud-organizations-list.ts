/** @module `fettle cloud organizations list`: the organizations the credential can see. */
import { connectCloud } from "../cloud/connection.ts";
import type { Outcome } from "../output/printer.ts";
import { count, table } from "../output/table.ts";
import { lines, style, text } from "../output/text.ts";
import type { noFlags } from "../registry/cli.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof noFlags, NoArguments>): Promise<Outcome> {
  const { client, announce } = await connectCloud(call);
  announce("account");
  const answer = await client.listOrganizations();
  const columns = [
    { header: "ID" },
    { header: "NAME", shrinks: true },
    { header: "PLAN" },
    { header: "ROLE" },
  ];
  const [first] = answer.items;
  return {
    value: answer,
    human: ({ width }) =>
      answer.items.length === 0
        ? text`No organizations.`
        : lines([
            table(
              columns,
              answer.items.map(({ id, name, plan, myRole }) => [
                id,
                style.bold(name),
                plan ?? "-",
                myRole ?? "-",
              ]),
              width,
            ),
            text`\n${count(answer.items.length, "organization")}`,
          ]),
    ...(first && { hint: style.cyan(`fettle cloud projects list --org ${first.id}`) }),
  };
}
