/** @module A child's stderr, bounded: the beginning says how it started, the end says how it died; the middle may go. */
import { StringDecoder } from "node:string_decoder";

export interface StderrCapture {
  push(chunk: Uint8Array): string;
  text(): string;
}

export function captureStderr(maxBytes: number): StderrCapture {
  const half = Math.floor(maxBytes / 2);
  const decoder = new StringDecoder("utf8");
  let head = "";
  let tail = "";
  let omitted = 0;
  return {
    push(chunk) {
      const text = decoder.write(chunk);
      const room = half - head.length;
      head += text.slice(0, room);
      tail += text.slice(room);
      if (tail.length > half) {
        omitted += tail.length - half;
        tail = tail.slice(-half);
      }
      return text;
    },
    text: () => (omitted === 0 ? head + tail : `${head}\n… ${omitted} characters left out …\n${tail}`),
  };
}
