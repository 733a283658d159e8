/** @module Takes credentials out of what leaves the machine or lands in a file, and out of error messages. */

const replaced = "[REDACTED]";

const secretKeys = new Set([
  "authorization",
  "proxyauthorization",
  "cookie",
  "setcookie",
  "apikey",
  "xapikey",
]);
const secretEndings = ["accesstoken", "refreshtoken", "clientsecret", "idtoken", "codeverifier"];

/** `X-Api-Key`, `x_api_key` and `xApiKey` are one name. */
function normalise(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function isSecretKey(key: string): boolean {
  const name = normalise(key);
  return secretKeys.has(name) || secretEndings.some((ending) => name.endsWith(ending));
}

/** An authorization code is a secret; an error code is not. Ours are all upper case, and `error` holds nothing but error codes. */
function isSecretCode(key: string, value: string, parent: string | undefined): boolean {
  return key === "code" && !/^[A-Z0-9_:-]+$/.test(value) && parent !== "error" && parent !== "snapshotError";
}

/**
 * A copy with every credential replaced, by key and inside strings.
 *
 * @example
 * redact({ headers: { Authorization: "Bearer abc" } }); // { headers: { Authorization: "[REDACTED]" } }
 */
export function redact<T>(value: T): T {
  // The copy has the shape of what went in: only strings change, and they stay strings.
  return redactValue(value, undefined) as T;
}

function redactValue(value: unknown, parent: string | undefined): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, parent));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isSecret =
        typeof inner === "string" && inner !== "" && (isSecretKey(key) || isSecretCode(key, inner, parent));
      return [key, isSecret ? replaced : redactValue(inner, key)];
    }),
  );
}

const names = "access_?token|refresh_?token|client_?secret|id_?token|code_?verifier|api_?key";

const patterns: readonly (readonly [RegExp, string])[] = [
  // Header text: everything after the name, to the end of the line.
  [/\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key)(\s*:\s*)[^\r\n"']+/gi, `$1$2${replaced}`],
  [/\b(bearer|basic)(\s+)[A-Za-z0-9._~+/=-]{6,}/gi, `$1$2${replaced}`],
  // JSON fragments, also escaped ones inside another JSON string.
  [
    new RegExp(
      `(\\\\?["'](?:[a-z_-]*(?:${names})|authorization|cookie)\\\\?["']\\s*:\\s*\\\\?["'])[^"'\\\\]+`,
      "gi",
    ),
    `$1${replaced}`,
  ],
  [new RegExp(`\\b((?:[a-z]+_)?(?:${names}))=[^\\s&#"']+`, "gi"), `$1=${replaced}`],
  [/\bsk_[A-Za-z0-9_-]{8,}/g, `sk_${replaced}`],
  // Userinfo of a URL.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@:]*:[^\s/@]+@/gi, `$1${replaced}@`],
];

export function redactText(text: string): string {
  return patterns.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), text);
}

/** Enough of a key to recognise it: the prefix and the last four characters, or no tail when it is short. */
export function redactKey(key: string): string {
  const prefix = key.slice(0, key.indexOf("_") + 1);
  return `${prefix}...${key.length < 8 ? "" : key.slice(-4)}`;
}
