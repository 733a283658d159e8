/** @module Shapes of credentials that belong in no answer, no log and no report, as their issuers publish them. Each is found by its prefix. */

/** Plain enough for a judge that never looks back; the words of a text begin where one of them does. */
export const secretPatterns = [
  // OpenAI, Anthropic, OpenRouter, DeepSeek and others that took the prefix
  "sk-[A-Za-z0-9_-]{20,}",
  // xAI, Groq, Hugging Face, Perplexity, Replicate
  "xai-[A-Za-z0-9]{40,}",
  "gsk_[A-Za-z0-9]{40,}",
  "hf_[A-Za-z0-9]{30,}",
  "pplx-[A-Za-z0-9]{40,}",
  "r8_[A-Za-z0-9]{30,}",
  // Google: API keys and access tokens
  "AIza[0-9A-Za-z_-]{35}",
  "ya29\\.[0-9A-Za-z_-]{20,}",
  // GitHub (classic and fine-grained), GitLab, npm
  "gh[pousr]_[A-Za-z0-9]{30,}",
  "github_pat_[A-Za-z0-9_]{22,}",
  "glpat-[A-Za-z0-9_-]{20,}",
  "npm_[A-Za-z0-9]{36}",
  // AWS: long-lived and temporary
  "A(?:KIA|SIA)[0-9A-Z]{16}",
  // Slack: tokens, app tokens, webhooks
  "xox[abeoprs]-[A-Za-z0-9-]{10,}",
  "xapp-[A-Za-z0-9-]{10,}",
  "hooks\\.slack\\.com/services/[A-Za-z0-9/]{20,}",
  // Stripe: keys and webhook secrets
  "[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
  "whsec_[A-Za-z0-9+/=]{24,}",
  // SendGrid
  "SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}",
  // JSON Web Tokens
  "eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}",
  // Private keys, by their first line
  "-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----",
];

/** A line break, also as JSON writes it. */
const newline = String.raw`(?:\s|\\{1,9}[nr])`;

/** What belongs to a private key goes with its first line: its headers, its lines, and the last one where it was not cut off. */
const keyLines = `(?:${newline}{1,9}(?:Proc-Type|DEK-Info|Version|Comment):[^\\n\\\\]{0,80})*(?:${newline}{1,9}[A-Za-z0-9+/=]{20,})*(?:${newline}{0,9}[A-Za-z0-9+/=]{0,80}${newline}{0,9}-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)?`;

/** A text holds one only where it holds such a beginning. */
export const shapeStarts =
  /sk-|xai-|gsk_|hf_|pplx-|r8_|AIza|ya29\.|gh[pousr]_|github_pat_|glpat-|npm_|AKIA|ASIA|xox|xapp-|hooks\.slack|[rs]k_|whsec_|SG\.|eyJ|-----BEGIN/;

export const secretShapes = new RegExp(
  `(?<![A-Za-z0-9])(?:${secretPatterns.slice(0, -1).join("|")})|${secretPatterns.at(-1)}${keyLines}`,
  "g",
);
