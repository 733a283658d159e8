/** @module Credentials of nobody, one of each kind, as they are said by servers, models and people. Put together here, so that no scanner takes them for real ones. */

export interface Canary {
  kind: string;
  /** As somebody says it. */
  said: string;
  /** What of it must never be seen again. */
  secret: string;
}

/** Letters of both kinds and digits, another run for each seed, so that one canary is never taken for another. */
function marrow(seed: number, length: number): string {
  const alphabet = "aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xYz";
  return Array.from(
    { length },
    (_, at) => alphabet[(at * 7 + seed * 11 + at * at * seed) % alphabet.length],
  ).join("");
}

/** `around` says the secret, whose prefix tells its kind. */
function canary(kind: string, prefix: string, length: number, around = (secret: string) => secret): Canary {
  const secret = `${prefix}${marrow(kind.length + prefix.length * 3 + 1, length)}`;
  return { kind, said: around(secret), secret };
}

const pem = (name: string, lines: readonly string[]) =>
  `-----BEGIN ${name}-----\n${lines.join("\n")}\n-----END ${name}-----`;
const keyLine = marrow(17, 64);

export const canaries: readonly Canary[] = [
  canary("variable", "", 18, (secret) => `SHOP_DB_PASSWORD=${secret}`),
  canary("exported variable", "", 18, (secret) => `export ACME_TOKEN="${secret}"`),
  canary("variable in JSON", "", 18, (secret) => `{"env": {"STRIPE_SECRET": "${secret}"}}`),
  canary("OpenAI", "sk-proj-", 48),
  canary("Anthropic", "sk-ant-api03-", 80),
  canary("Google", "AIza", 35),
  canary("xAI", "xai-", 64),
  canary("Groq", "gsk_", 48),
  canary("Hugging Face", "hf_", 34),
  canary("GitHub", "ghp_", 36),
  canary("GitHub, fine-grained", "github_pat_", 70),
  canary("GitLab", "glpat-", 20),
  canary("npm", "npm_", 36),
  canary("Slack", "xoxb-1234567890-", 24),
  canary("Slack app", "xapp-1-A1-", 40),
  canary("Slack webhook", "hooks.slack.com/services/T0000/B0000/", 24, (secret) => `https://${secret}`),
  { kind: "AWS", said: "AKIAQ7ZXCVBNM2LKJHGF", secret: "AKIAQ7ZXCVBNM2LKJHGF" },
  { kind: "AWS, temporary", said: "ASIAQ7ZXCVBNM2LKJHGF", secret: "ASIAQ7ZXCVBNM2LKJHGF" },
  canary("AWS secret", "", 40, (secret) => `AWS_SECRET_ACCESS_KEY=${secret}`),
  canary("Stripe", ["sk", "live", ""].join("_"), 24),
  canary("Stripe, restricted", ["rk", "live", ""].join("_"), 24),
  canary("Stripe webhook", "whsec_", 32),
  canary("JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.", 43),
  canary("cookie", "", 24, (secret) => `Set-Cookie: sid=${secret}; Path=/`),
  canary("cookies in JSON", "", 24, (secret) => `{"set-cookie": ["sid=${secret}"]}`),
  canary("query parameter", "", 24, (secret) => `https://shop.example/orders?token=${secret}&page=2`),
  canary("signed address", "", 44, (secret) => `https://shop.example/f?X-Amz-Signature=${secret}`),
  canary("bearer", "", 32, (secret) => `Authorization: Bearer ${secret}`),
  canary("result of a tool", "", 16, (secret) => `{"user": "ada", "password": "${secret}"}`),
  canary("user and password in an address", "", 16, (secret) => `postgres://ada:${secret}@db.example/shop`),
  { kind: "private key", said: pem("PRIVATE KEY", [keyLine, keyLine, "Qw=="]), secret: keyLine },
  {
    kind: "private key that is cut off",
    said: `-----BEGIN RSA PRIVATE KEY-----\n${keyLine}`,
    secret: keyLine,
  },
];
