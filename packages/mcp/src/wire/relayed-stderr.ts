/** @module What a process behind a tunnel writes on stderr: told on the streams of its answers, to those who ask for it by a header. */

export const stderrHeader = "x-fettle-stderr";
/** Clients read only events of the type `message`, so that nobody takes it for one. */
export const stderrEvent = "fettle-stderr";

export function writeStderrEvent(text: string): string {
  return `event: ${stderrEvent}\ndata: ${JSON.stringify(text)}\n\n`;
}

/** Undefined when it is none. */
export function readStderrEvent({ event, data }: { event: string; data: string }): string | undefined {
  if (event !== stderrEvent) return undefined;
  try {
    const text: unknown = JSON.parse(data);
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
