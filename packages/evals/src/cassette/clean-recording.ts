/** @module What must not get into a recording: known credentials, replaced by their names, and what looks like one. */
import { isCredentialKey, redactedText, redactText } from "@fettle/contract/secrets";

const shortestSecret = 6;

const longEnough = (secrets: Readonly<Record<string, string>>) =>
  Object.entries(secrets).filter(([, value]) => value.length >= shortestSecret);

export function cleaner(secrets: Readonly<Record<string, string>>): <T>(value: T) => T {
  const known = longEnough(secrets);
  const cleanText = (text: string) => {
    let rest = text;
    for (const [name, value] of known) rest = rest.replaceAll(value, `[secret:${name}]`);
    return redactText(rest).replaceAll(redactedText, "[secret]");
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return cleanText(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item)]));
  };
  return (value) => walk(value) as typeof value;
}

/** What a tool answered, without the texts whose name says that they are secret (`DB_PASSWORD`, `cookie`), whatever they look like. */
export function withoutNamed<T>(value: T): T {
  const walk = (part: unknown, isSecret: boolean): unknown => {
    if (typeof part === "string") return isSecret && part !== "" ? "[secret]" : part;
    if (Array.isArray(part)) return part.map((item) => walk(item, isSecret));
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, member]) => [key, walk(member, isCredentialKey(key))]),
    );
  };
  return walk(value, false) as T;
}

/** The name of a credential that is in the text all the same, however it got there. */
export function survivorIn(text: string, secrets: Readonly<Record<string, string>>): string | undefined {
  return longEnough(secrets).find(([, value]) => text.includes(value))?.[0];
}
