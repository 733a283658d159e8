/** @module What the published schema is made to say of a message that is wrong. */
import { must } from "@fettle/contract/formats";
import { expect, test } from "vitest";
import { loadWireSchema } from "./schema.ts";

test.each(["2025-06-18", "2025-11-25", "2026-07-28"])(
  "%s: an image without its mimeType is told as that, and not as a text that it is not",
  async (version) => {
    const schema = await must(loadWireSchema(version), version);
    const content = { type: "image", data: "AA==" };
    const result = { resultType: "complete", messages: [{ role: "user", content }] };
    const [fault] = schema.faultsOf({ jsonrpc: "2.0", id: 1, result }, "prompts/get");
    expect(fault).toContain("mimeType");
    expect(fault).not.toContain("text");
  },
);
