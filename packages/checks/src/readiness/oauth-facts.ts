/** @module What both publishers ask of protected-resource metadata. */
import type { ServerEvidence } from "./evidence.ts";
import { notEvaluated, type ReadinessVerdict, violated } from "./rule.ts";
import type { Guard } from "./server-facts.ts";

/** Undefined when it is found where it belongs. */
export function metadataFault(server: ServerEvidence, guard: Guard): ReadinessVerdict | undefined {
  const { url, probe } = server;
  const pointer = guard.is === "guarded" ? guard.pointer : undefined;
  if (pointer !== undefined) {
    const at = URL.parse(pointer);
    if (!at || !/^https?:$/.test(at.protocol)) return violated(`The challenge points to ${pointer}.`);
    if (at.origin !== new URL(url).origin) {
      return violated(`The challenge points to another origin: ${pointer}.`);
    }
  }
  if (probe.oauth.resourceMetadata) return undefined;
  const asked = probe.transport.attempts.filter(({ name }) => name === "resource_metadata");
  const why = probe.oauth.discoveryError ?? "It publishes no protected-resource metadata.";
  // Where nothing answered nothing was learned.
  return asked.some(({ response }) => response) ? violated(why) : notEvaluated("serverAnswer", why);
}
