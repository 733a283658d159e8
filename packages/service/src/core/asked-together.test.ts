import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { askedTogether } from "./asked-together.ts";

test("those who ask in one moment are answered by one read; whoever asks while it is under way by the next", async () => {
  const reads: (readonly number[])[] = [];
  const gates: (() => void)[] = [];
  const ask = askedTogether(async (questions: readonly number[]) => {
    reads.push(questions);
    const at = reads.length;
    await new Promise<void>((resolve) => gates.push(resolve));
    return at;
  });
  const first = [ask(1), ask(2)];
  await expect.poll(() => reads).toEqual([[1, 2]]);
  const later = ask(3);
  await turn();
  await expect.poll(() => reads).toEqual([[1, 2], [3]]);
  for (const open of gates) open();
  expect(await Promise.all([...first, later])).toEqual([1, 1, 2]);
});

test("a read that fails fails for those it was for, and not for the next", async () => {
  const ask = askedTogether(async (questions: readonly string[]) => {
    if (questions.includes("bad")) throw new Error("no");
    return questions.length;
  });
  await expect(Promise.allSettled([ask("good"), ask("bad")])).resolves.toMatchObject([
    { status: "rejected" },
    { status: "rejected" },
  ]);
  expect(await ask("good")).toBe(1);
});
