import { expect, test } from "vitest";
import { ProjectServerUpdateRequest } from "./server.ts";

test.each([
  ["headers", { headers: { Authorization: "***" } }],
  ["env", { env: { TOKEN: "***" } }],
  ["clientSecret", { clientSecret: "***" }],
])("a hidden value sent back in %s is refused, for stored it would destroy the real one", (field, change) => {
  const read = ProjectServerUpdateRequest.safeParse(change);
  expect(read.error?.issues).toMatchObject([{ message: expect.stringContaining("leave the field out") }]);
  expect(read.error?.issues[0]?.path[0]).toBe(field);
});
