export { markedArguments } from "./marked-arguments.ts";
export {
  isCredentialKey,
  isSecretName,
  redact,
  redactArguments,
  redactArgv,
  redactedText,
  redactText,
  secretArguments,
} from "./redact.ts";
export { Secret } from "./secret.ts";
export { secretPatterns } from "./secret-shapes.ts";
export { maskQuery, maskUrl, secretsInUrl, unmaskUrl } from "./url-secrets.ts";
