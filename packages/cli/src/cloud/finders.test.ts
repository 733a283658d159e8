import type { ApiClient } from "@fettle/contract/client";
import { ApiError } from "@fettle/contract/core";
import { describe, expect, it } from "vitest";
import { finders, type Noun } from "./finders.ts";

const twins = [
  { id: "one_1", name: "Checkout", sharing: "user", archived: true },
  { id: "one_2", name: "checkout", sharing: "user", archived: true },
];

/** Every list has the same two; nothing has the name as its id. */
const client = new Proxy({} as ApiClient, {
  get: (_, operation: string) =>
    operation.startsWith("list")
      ? async () => ({ items: twins })
      : async () => {
          throw new ApiError("NOT_FOUND", "Nothing here.");
        },
});

describe.each(Object.keys(finders) as Noun[])("a %s", (noun) => {
  const found = async (selector: string) =>
    (await finders[noun]({ client, projectId: "proj_1" as never }))(selector);

  it("with a name that two have is refused with both ids, and neither is taken", async () => {
    await expect(found("Checkout")).rejects.toMatchObject({
      code: "NOT_FOUND",
      details: { ids: ["one_1", "one_2"] },
    });
  });

  it("is taken by its id", async () => {
    expect(await found("one_2")).toMatchObject({ id: "one_2" });
  });
});
