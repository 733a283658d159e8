import { expect, test } from "vitest";
import { killUnderWrites, type Victim } from "./killed-service.ts";

// Twenty rounds, and the same on an external PostgreSQL, are in the soak run.
test.each<Victim>(["service", "database"])(
  "a killed %s loses no acknowledged write, starts clean and leaves nothing behind",
  async (victim) => {
    const survey = await killUnderWrites({ rounds: 2, victim });
    expect(survey).toMatchObject({ lost: [], left: [] });
    expect(survey.acknowledged).toBeGreaterThan(50);
  },
);
