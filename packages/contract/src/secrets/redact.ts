/** @module Takes credentials out of whatever is about to be shown, stored or sent: logs, artifacts, reports, traces. */

import { isExactNumber } from "../formats/exact-numbers.ts";
import { secretShapes, shapeStarts } from "./secret-shapes.ts";

export const redactedText = "[REDACTED]";

const secretKeys = new Set([
  "authorization",
  "proxyauthorization",
  "cookie",
  "setcookie",
  "apikey",
  "xapikey",
]);
const secretKeyEndings = [
  ...["accesstoken", "refreshtoken", "idtoken", "authtoken", "bottoken", "sessiontoken"],
  ...["secret", "secretkey", "secretaccesskey", "privatekey", "apikey", "codeverifier"],
  ...["password", "passwd", "passphrase"],
];

/** `GITHUB_TOKEN`: a name that only a variable of an environment has. */
const isVariableName = (key: string) => /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(key) && isSecretName(key);

/** `NOT_FOUND`, or several plain words such as `gate_waiver_expiry_too_far`. */
const isMachineCode = (text: string) => /^[A-Z0-9_:-]+$|^[a-z]{1,12}(_[a-z]{1,12}){2,}$/.test(text);

export interface RedactOptions {
  /** Keys to hide besides the known ones, tried on the key lower-cased and without punctuation. */
  alsoKeys?: RegExp;
}

function isSecretKey(key: string, options: RedactOptions): boolean {
  const plain = key.toLowerCase().replace(/[^a-z0-9]/g, "");
  return (
    secretKeys.has(plain) ||
    // An argument that travels as a header of its own.
    (plain.startsWith("mcpparam") && isSecretName(key)) ||
    secretKeyEndings.some((ending) => plain.endsWith(ending)) ||
    isVariableName(key) ||
    options.alsoKeys?.test(plain) === true
  );
}

/**
 * A copy with credentials replaced by `[REDACTED]`: values of telling keys, and telling passages inside any string.
 *
 * @example
 * redact({ headers: { Authorization: "Bearer abc" }, url: "https://u:p@host/?access_token=x" });
 * // { headers: { Authorization: "[REDACTED]" }, url: "https://[REDACTED]@host/?access_token=[REDACTED]" }
 */
export function redact(value: unknown, options: RedactOptions = {}): unknown {
  return redactValue(value, options, undefined, new Set());
}

function redactValue(
  value: unknown,
  options: RedactOptions,
  parentKey: string | undefined,
  above: Set<object>,
): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null || isExactNumber(value)) return value;
  if (above.has(value)) return "[circular]";
  above.add(value);
  try {
    if (value instanceof Error) return redactError(value, options, above);
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return redactValue(value.toJSON(), options, parentKey, above);
    }
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (Array.isArray(value)) return value.map((item) => redactValue(item, options, parentKey, above));
    if (value instanceof Map) return redactEntries([...value], options, parentKey, above);
    if (value instanceof Set) return redactValue([...value], options, parentKey, above);
    return redactEntries(Object.entries(value), options, parentKey, above);
  } finally {
    above.delete(value);
  }
}

function redactEntries(
  entries: [unknown, unknown][],
  options: RedactOptions,
  parentKey: string | undefined,
  above: Set<object>,
): Record<string, unknown> {
  const isCall = entries.some(([name, value]) => name === "name" && typeof value === "string");
  const redacted = entries.map(([name, value]) => {
    const key = String(name);
    // A tool's or prompt's call; a schema with properties of these names has no text under `name`.
    if (isCall && key === "arguments" && !Array.isArray(value)) {
      return [key, redactValue(redactArguments(value), options, key, above)];
    }
    if (isSecretKey(key, options) || isGrantCode(key, value, parentKey)) return [key, hide(value)];
    return [key, redactValue(value, options, key, above)];
  });
  return Object.fromEntries(redacted);
}

/** Headers may come as lists. A key of this name that holds an object (a schema's property, say) hides what is in it that is text. */
function hide(value: unknown): unknown {
  if (typeof value === "string") return value === "" ? "" : redactedText;
  if (Array.isArray(value)) return value.map(hide);
  return redact(value);
}

/**
 * What a tool or a prompt is called with, without the values whose names say that they are credentials.
 *
 * @example
 * redactArguments({ city: "Graz", login: { password: "abc" } }); // { city: "Graz", login: { password: "[REDACTED]" } }
 */
export function redactArguments(value: unknown): unknown {
  return mapArguments(value, () => redactedText);
}

/** Those values themselves, as text: whoever hides them by name must also find them where they are repeated. */
export function secretArguments(value: unknown): string[] {
  const found: string[] = [];
  mapArguments(value, (secret) => {
    found.push(secret);
    return secret;
  });
  return found;
}

function mapArguments(value: unknown, replace: (secret: string) => string, isSecret = false): unknown {
  if (Array.isArray(value)) return value.map((item) => mapArguments(item, replace, isSecret));
  if (typeof value === "object" && value !== null && !isExactNumber(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        mapArguments(item, replace, isSecret || isSecretName(key)),
      ]),
    );
  }
  if (!isSecret || value === "" || value === null || typeof value === "boolean") return value;
  return replace(isExactNumber(value) ? value.rawJSON : String(value));
}

/** Whether a value under this key is taken out wherever it stands. */
export const isCredentialKey = (key: string): boolean => isSecretKey(key, {});

/** `code` is an authorization code, unless it reads like a machine's word for an error. */
function isGrantCode(key: string, value: unknown, parentKey: string | undefined): boolean {
  if (key !== "code" || typeof value !== "string") return false;
  return !isMachineCode(value) && parentKey !== "error" && parentKey !== "snapshotError";
}

function redactError(error: Error, options: RedactOptions, above: Set<object>): Record<string, unknown> {
  const { name, stack, cause } = error;
  const message = redactText(saidByDatabase(error));
  // The words come first in a stack; what follows is only places in the code.
  const places = stack?.startsWith(`${name}: ${error.message}`)
    ? stack.slice(`${name}: ${error.message}`.length)
    : stack?.slice(Math.max(0, stack.search(/\n {4}at /)));
  return {
    name,
    message,
    // An error's own fields say most about it (code, address, constraint); its code is never a grant.
    ...redactEntries(Object.entries(error).filter(isToldOf(error)), options, "error", above),
    ...(places === undefined ? {} : { stack: redactText(`${name}: ${message}${places}`) }),
    ...(cause === undefined ? {} : { cause: redactValue(cause, options, "error", above) }),
  };
}

/** Where an error of the database quotes what was to be written: hashes and sealed values among it. */
const quotingFields = new Set(["params", "parameters", "detail", "where", "internalQuery"]);
const isOfDatabase = (error: object) => "query" in error || ("severity" in error && "routine" in error);

const isToldOf =
  (error: Error) =>
  ([key]: [string, unknown]) =>
    !isOfDatabase(error) || !quotingFields.has(key);

/** A value that could not be read is quoted in the message itself (SQLSTATE class 22). */
function saidByDatabase(error: Error & { code?: unknown }): string {
  const isDataException = isOfDatabase(error) && /^22...$/.test(String(error.code));
  return isDataException ? error.message.replace(/: ".*$/s, "") : error.message;
}

/** The words of a failed statement end with its parameters, whatever they hold. */
function withoutParameters(text: string): string {
  const statement = text.indexOf("Failed query: ");
  const parameters = statement === -1 ? -1 : text.indexOf("\nparams: ", statement);
  return parameters === -1 ? text : `${text.slice(0, parameters)}\nparams: ${redactedText}`;
}

const names =
  "(?:access[_-]?token|refresh[_-]?token|client[_-]?secret|id[_-]?token|code[_-]?verifier|api[_-]?key)";
const headers = "(?:authorization|cookie|x-api-key)";
/** What a field of JSON is called that holds a password or a key. */
const fields =
  "[A-Za-z0-9_.-]{0,60}?(?:password|passwd|passphrase|secret|(?:api|private|access|secret)[_-]?key|(?:auth|bot|session)[_-]?token)";
/** What a variable of an environment is called that does: capitals alone. */
const variables =
  "(?:[A-Z0-9]+_)*(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|SECRET_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIALS?)(?:_[A-Z0-9]+)*";
/** What stands where nobody told a credential: another place's name, a switch, a path, or what was taken out already. */
const plainSetting = String.raw`(?!\[REDACTED\]|[$<*~./]|(?:true|false|null|undefined|none|\d{1,9})(?![A-Za-z0-9]))`;
const queryNames =
  "(?:key|token|secret|password|passwd|pwd|auth|sig|signature|session|sid|x-amz-(?:signature|credential|security-token)|x-goog-signature)";

/**
 * Each keeps what says where the credential was (`$1`) and drops the credential. Every repetition is bounded or ends
 * at a character it cannot contain, so that a hostile text costs no more than a long one.
 */
const passages: RegExp[] = [
  // In JSON: "access_token": "..."
  new RegExp(String.raw`((?:${names}|${headers})"\s{0,9}:\s{0,9}")(?:[^"\\]|\\[^])*`, "gi"),
  new RegExp(String.raw`("${fields}"\s{0,9}:\s{0,9}")(?!\[REDACTED\]")(?:[^"\\]|\\[^])+`, "gi"),
  new RegExp(String.raw`("${variables}"\s{0,9}:\s{0,9}")${plainSetting}(?:[^"\\]|\\[^])+`, "g"),
  // In JSON, as a list: "set-cookie": ["...", "..."]
  new RegExp(
    String.raw`(${headers}\\{0,9}"\s{0,9}:\s{0,9}\[\s{0,9}\\{0,9}")[^\]]*?(?=\\{0,9}"\s{0,9}\]|$)`,
    "gi",
  ),
  // In JSON inside a JSON string: \"access_token\": \"...\"
  new RegExp(String.raw`((?:${names}|${headers})\\{1,9}"\s{0,9}:\s{0,9}\\{1,9}")[^"]*?(?=\\{0,9}"|$)`, "gi"),
  new RegExp(
    String.raw`(\\{1,9}"(?:${fields})\\{1,9}"\s{0,9}:\s{0,9}\\{1,9}")(?!\[REDACTED\])[^"]+?(?=\\{0,9}"|$)`,
    "gi",
  ),
  new RegExp(
    String.raw`(\\{1,9}"${variables}\\{1,9}"\s{0,9}:\s{0,9}\\{1,9}")${plainSetting}[^"]+?(?=\\{0,9}"|$)`,
    "g",
  ),
  // Variables of an environment: DB_PASSWORD=..., also in quotes or after a colon
  new RegExp(
    String.raw`\b(${variables}[ \t]{0,3}[=:][ \t]{0,3}\\{0,9}["']?)${plainSetting}[^\s"'\\&,;)}\]]{4,}`,
    "g",
  ),
  // Header text, to the end of its line or of the string it is quoted in
  new RegExp(String.raw`(${headers}[ \t]{0,9}:[ \t]{0,9})[^\r\n"'\\]+`, "gi"),
  // A challenge (`Bearer realm="..."`) holds no credential, and says what to do about a 401; nor does a sentence about one.
  /(\b(?:bearer|basic)\s{1,9})(?!(?:auth|authentication|authorization|challenges?|credentials?|headers?|methods?|schemes?|tokens?)[.:]?(?![a-z0-9._~+/=-]))(?!(?:realm|scope|error|error_description|error_uri|resource_metadata)=["'\\])[a-z0-9._~+/=-]{6,}/gi,
  // Pairs in a query, a form, a command line; what an address shows masked stays so
  new RegExp(String.raw`(${names}=)(?!\*{3}(?:[&\s"'\\#,;)]|$))[^&\s"'\\#,;)]+`, "gi"),
  /([?&]code=)[^&\s"'\\#]+/gi,
  new RegExp(String.raw`([?&]${queryNames}=)(?!\*{3}(?:[&\s"'\\#,;)]|$))[^&\s"'\\#]+`, "gi"),
  // User and password in an address
  /(:\/\/)[^\s/?#"'\\]+(?=@)/gi,
  /()\bsk_[a-z0-9_-]{8,}/gi,
  // Our other tokens: sessions, links, logins. Their length is fixed, so that no ordinary word is taken for one.
  /()\bf[a-z]{2}_[a-z0-9]{49}\b/gi,
];

/** Something of which stands in whatever a passage matches: most texts are let go after one look instead of nine. */
const mayTell =
  /token|secret|verifier|key|passw|passphrase|pwd=|credential|authorization|cookie|bearer|basic|code=|auth=|sig=|signature|session|sid=|@|sk_|f[a-z]{2}_/i;

/** The same for one string. */
export function redactText(text: string): string {
  const unshaped = withoutParameters(text);
  const plain = shapeStarts.test(unshaped) ? unshaped.replace(secretShapes, redactedText) : unshaped;
  if (!mayTell.test(plain)) return plain;
  return passages.reduce((rest, passage) => rest.replace(passage, `$1${redactedText}`), plain);
}

/** On a name in lower case with dashes between its words. A path or a mode hidden too many is the lesser harm. */
const tellsSecret =
  /(?:^|-)(?:[a-z0-9]*token|[a-z0-9]*key|[a-z0-9]*secret|[a-z0-9]*password|passwd|passphrase|pwd|auth|authorization|bearer|cookie|credential|sig|signature)s?(?:-|$)/;
const headerFlag = /^(?:-H|--(?:[a-z]+-)?header)$/;

/** Whether a name (of an argument, a flag, a variable, a query value) says that it holds a credential. */
export const isSecretName = (name: string) =>
  tellsSecret.test(
    name
      .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
      .replace(/[^a-z0-9]+/gi, "-")
      .toLowerCase(),
  );

/**
 * Command-line words with the values of credential flags and variables taken out; headers keep their name.
 *
 * @example
 * redactArgv(["--api-key", "abc", "--token=abc", "-e", "DB_PASSWORD=abc", "https://u:p@host/?key=abc"]);
 * // ["--api-key", "[REDACTED]", "--token=[REDACTED]", "-e", "DB_PASSWORD=[REDACTED]", "https://[REDACTED]@host/?key=[REDACTED]"]
 */
export function redactArgv(argv: readonly string[]): string[] {
  return argv.map((word, at) => {
    const before = argv[at - 1] ?? "";
    if (headerFlag.test(before)) return redactHeader(word);
    // A credential flag may stand alone (`--auth --verbose`): what is plainly the next flag is no value.
    const isNextFlag = /^--[a-z][a-z-]*(?:=|$)/.test(word);
    if (/^--?[a-z]/i.test(before) && !before.includes("=") && isSecretName(before) && !isNextFlag) {
      return redactedText;
    }
    return redactPair(word);
  });
}

function redactPair(word: string): string {
  const [, name = "", value = ""] = /^(-{0,2}[a-z][\w.-]*)=(.*)$/is.exec(word) ?? [];
  if (headerFlag.test(name)) return `${name}=${redactHeader(value)}`;
  if (name !== "" && isSecretName(name)) return `${name}=${redactedText}`;
  return redactText(
    word.replace(/([?&]([\w.-]+)=)[^&#\s"'\\]+/g, (pair, start: string, key: string) =>
      isSecretName(key) ? `${start}${redactedText}` : pair,
    ),
  );
}

function redactHeader(header: string): string {
  const name = /^([^:]+:).*$/s.exec(header)?.[1];
  return name === undefined ? redactedText : `${name} ${redactedText}`;
}
