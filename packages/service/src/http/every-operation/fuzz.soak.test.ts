import { expect, it } from "vitest";
import { fuzz } from "../../testing/fuzz/fuzz.ts";
import { testService } from "../../testing/service.ts";

/** Told with every run, so that one that failed can be had again. */
const seed = Number(process.env.FETTLE_FUZZ_SEED ?? Date.now() % 2 ** 31);
const requests = Number(process.env.FETTLE_FUZZ_REQUESTS ?? 20_000);

it("answers whatever is sent to any operation without failing, and loses no connection", async () => {
  const causes = new Map<string, string>();
  const log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (message: string, { error, url }: Record<string, unknown> = {}) => {
      if (message !== "request failed" || !(error instanceof Error)) return;
      causes.set(`${error.message} ${String(error.cause ?? "")}`.slice(0, 500), String(url));
    },
    child: () => log,
  };
  const env = { FETTLE_LIMIT_KEY_BURST: "1000000", FETTLE_LIMIT_EVAL_RUNS: "1000" };
  await using service = await testService({ log, env });
  const { failures, sent, statuses } = await fuzz({ service, seed, requests, together: 8 });
  console.log(`fuzz: FETTLE_FUZZ_SEED=${seed}, ${sent} requests, ${JSON.stringify(statuses)}`);
  for (const { operation, status, request } of failures) {
    console.log(`${operation}: ${status}\n  ${request.slice(0, 2000)}`);
  }
  for (const [cause, url] of causes) console.log(`${url}\n  ${cause}`);
  expect(failures.map(({ operation, status }) => `${operation}: ${status}`)).toEqual([]);
});
