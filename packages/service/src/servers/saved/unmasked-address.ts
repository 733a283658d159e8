/** @module An address may come back as it was shown; its masked values are then the stored ones. */
import { ApiError } from "@fettle/contract/core";
import { unmaskUrl } from "@fettle/contract/secrets";

/** Throws where masked values have no stored ones to stand for. `path`: the field it was sent in. */
export function wholeAddress(
  sent: string,
  stored: string | undefined,
  {
    path = "body.url",
    hint = "Leave the address out to keep it, send it back as it was shown, or send it with every value.",
  } = {},
): string {
  const read = unmaskUrl(sent, stored);
  if (read.kind !== "refused") return read.url;
  throw new ApiError("VALIDATION_ERROR", `The address was not understood. ${read.reason}`, {
    path,
    code: "MASKED_ADDRESS",
    hint,
  });
}
