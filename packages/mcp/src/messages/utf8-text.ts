/** @module Bytes as text, piece by piece as they come, with the answer to whether they were UTF-8 at all. */
import { isUtf8 } from "node:buffer";
import { StringDecoder } from "node:string_decoder";

export interface Utf8Text {
  /** The characters that are whole by now; bytes of one that is not are kept for the next piece. */
  write(chunk: Uint8Array): string;
  /** What is left when there is no next piece. */
  end(): string;
  /** Whether bytes that are no UTF-8 have come since this was asked last. */
  hadBadBytes(): boolean;
}

/**
 * Reads UTF-8. Bytes are looked at a second time only where the decoder put in a replacement, which may as well be one
 * that was sent as itself.
 *
 * @example
 * const text = readUtf8();
 * for await (const chunk of body) console.log(text.write(chunk));
 */
export function readUtf8(): Utf8Text {
  const decoder = new StringDecoder("utf8");
  let isBad = false;
  /** Bytes at the end of the last chunk that a character may still be made of. */
  let cut: Uint8Array = new Uint8Array();
  return {
    write(chunk) {
      const text = decoder.write(chunk);
      const whole = cut.length === 0 ? chunk : Buffer.concat([cut, chunk]);
      const end = wholeCharacters(whole);
      if (text.includes("\uFFFD") && !isUtf8(whole.subarray(0, end))) isBad = true;
      cut = Uint8Array.from(whole.subarray(end));
      return text;
    },
    end() {
      const rest = decoder.end();
      if (rest !== "") isBad = true;
      return rest;
    },
    hadBadBytes() {
      const was = isBad;
      isBad = false;
      return was;
    },
  };
}

/** How many bytes make whole characters; the few that begin the next one are left. */
function wholeCharacters(bytes: Uint8Array): number {
  for (const [index, byte] of bytes.subarray(-3).toReversed().entries()) {
    const back = index + 1;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
