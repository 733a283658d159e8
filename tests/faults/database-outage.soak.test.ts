import { describe, expect, test } from "vitest";
import { canMount, type Fault, type Place, sufferOutage } from "./database-outage.ts";

// A disk that is really full needs one of its own, which only root may mount.
const faults: Fault[] = ["stopped", "killed", ...(canMount() ? (["filled up"] as const) : [])];

describe.each<Place>(["embedded", "external"])("a service whose %s PostgreSQL is", (place) => {
  test.each(faults)("%s under load says so, loses nothing, and is back within a minute", async (fault) => {
    const outage = await sufferOutage(place, fault);
    expect(outage).toMatchObject({ lost: [], wrong: [] });
    expect(outage.backAfterMs).toBeLessThan(60_000);
    if (fault === "filled up")
      expect(outage.reasons).toEqual([expect.stringMatching(/^(disk_full|database_down)$/)]);
    console.log(
      `${place}, ${fault}: ${outage.acknowledged} acknowledged, none lost, ${outage.unavailable} told 503 ${outage.reasons.join()}, back after ${outage.backAfterMs} ms`,
    );
  });
});
