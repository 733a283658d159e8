import { describe, expect, test } from "vitest";
import { killOnEmbedded, killOnExternal, type Victim } from "../../testing/faults.ts";

const rounds = 20;

describe.each<Victim>(["writer", "database"])("killing the %s twenty times", (victim) => {
  test("loses no acknowledged write on the embedded database", async () => {
    const survey = await killOnEmbedded(rounds, victim);
    expect(survey).toMatchObject({ lost: [], left: [] });
    console.log(`embedded, ${victim} killed ${rounds} times: ${survey.acknowledged} acknowledged, none lost`);
  });

  test("loses no acknowledged write on an external PostgreSQL", async () => {
    const survey = await killOnExternal(rounds, victim);
    expect(survey).toMatchObject({ lost: [], left: [] });
    console.log(`external, ${victim} killed ${rounds} times: ${survey.acknowledged} acknowledged, none lost`);
  });
});
