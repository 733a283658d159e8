import { expect, test } from "vitest";
import { emptyDatabase } from "../../packages/service/src/testing/index.ts";
import { killUnderWrites, type Victim } from "./killed-service.ts";

const rounds = 20;

test.each<Victim>(["service", "database"])("a %s killed twenty times loses nothing", async (victim) => {
  const survey = await killUnderWrites({ rounds, victim });
  expect(survey).toMatchObject({ lost: [], left: [] });
  console.log(`embedded, ${victim} killed ${rounds} times: ${survey.acknowledged} acknowledged, none lost`);
});

test("a service killed twenty times on an external PostgreSQL loses nothing", async () => {
  const databaseUrl = (await emptyDatabase()).reveal();
  const survey = await killUnderWrites({ rounds, victim: "service", databaseUrl });
  expect(survey).toMatchObject({ lost: [], left: [] });
  console.log(`external, service killed ${rounds} times: ${survey.acknowledged} acknowledged, none lost`);
});
