/**
 * @module Requests whose body holds the zero character. Some places keep it (an argument of a call); where it cannot be kept the request
 * is refused with the places that hold one, instead of being stored as something else than was sent.
 */
import { ApiError } from "@fettle/contract/core";
import { refusingUnstorable } from "../core/db/storable.ts";
import { isUnstorable } from "./errors.ts";

const mostPaths = 10;

export async function refusingZeros(body: unknown, answer: () => Promise<unknown>): Promise<unknown> {
  try {
    return await refusingUnstorable(answer);
  } catch (error) {
    if (!isUnstorable(error)) throw error;
    const paths = [...zerosIn(body, "body")].slice(0, mostPaths);
    const where = paths.length === 1 ? paths[0] : `one of ${paths.join(", ")}`;
    throw new ApiError("VALIDATION_ERROR", `${where}: The zero character (U+0000) cannot be stored.`, {
      reason: "unstorable_text",
      path: paths[0],
      paths,
    });
  }
}

function* zerosIn(value: unknown, at: string): Generator<string> {
  if (typeof value === "string") {
    if (value.includes("\0")) yield at;
  } else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const path = `${at}.${name.replaceAll("\0", "\ufffd")}`;
      if (name.includes("\0")) yield path;
      yield* zerosIn(inner, path);
    }
  }
}
