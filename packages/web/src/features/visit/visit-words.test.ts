import { ApiError } from "@fettle/contract/core";
import { expect, test } from "vitest";
import { refusedText } from "./visit-words.ts";

test.each([
  ["cut out of a letter wrongly", { path: "body.linkToken" }, "VALIDATION_ERROR"],
  ["replaced", { code: "LINK_INVALID" }, "NOT_FOUND"],
] as const)("a link that was %s is said to work no more, not to be tried later", (_, details, code) => {
  expect(refusedText(new ApiError(code, "As the service says it.", details))).toMatchObject({
    state: "gone",
    title: "A new link is needed",
  });
});
