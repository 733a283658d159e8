/** @module A real mail server on loopback that keeps what it takes, and a way to read it. */
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { selfSigned } from "@fettle/samples";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { vi } from "vitest";

export interface ReceivedLetter {
  /** Whom the envelope names. */
  readers: string[];
  isEncrypted: boolean;
  user: string | undefined;
  headers: Map<string, string>;
  text: string;
  html: string;
}

const day = 86_400_000;
const certificate = selfSigned(new Date(Date.now() - day), new Date(Date.now() + day));

export interface MailServer {
  url: string;
  letters: ReceivedLetter[];
  /** The first letter to this mailbox, once it is there. */
  letterTo(address: string): Promise<ReceivedLetter>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * @example
 * await using mail = await startMailServer();
 * await using service = await testService({ env: mailEnv(mail) });
 */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const letters: ReceivedLetter[] = [];
  const server = new SMTPServer({
    authOptional: true,
    ...certificate,
    // A sender that was killed does not say goodbye.
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      password === "right" ? done(null, { user: username }) : done(new Error("wrong password")),
    onData: (stream, session, done) => {
      text(stream).then((raw) => {
        const readers = session.envelope.rcptTo.map(({ address }) => address);
        letters.push({ readers, isEncrypted: session.secure, user: session.user, ...read(raw) });
        done();
      }, done);
    },
    ...options,
  });
  // A client that hangs up on a certificate is what some tests are about.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Of a server that listens on a port, by its documentation.
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    letterTo: (address) =>
      vi.waitFor(
        () => {
          const letter = letters.find(({ readers }) => readers.includes(address));
          if (!letter) throw new Error(`no letter to ${address}`);
          return letter;
        },
        { timeout: 60_000, interval: 20 },
      ),
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The configuration of a service that sends its letters there. */
export function mailEnv({ url }: Pick<MailServer, "url">): Record<string, string> {
  return {
    FETTLE_SMTP_URL: url,
    FETTLE_MAIL_FROM: "Fettle <fettle@example.com>",
    FETTLE_PUBLIC_URL: "http://fettle.example.com",
  };
}

function readPart(raw: string) {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
      return [name.toLowerCase(), value];
    }),
  );
  return { headers, body: decode(rest.join("\r\n\r\n"), headers.get("content-transfer-encoding")) };
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function read(raw: string): Pick<ReceivedLetter, "headers" | "text" | "html"> {
  const { headers, body } = readPart(raw);
  const [, boundary = ""] = /boundary="([^"]+)"/.exec(headers.get("content-type") ?? "") ?? [];
  const parts = body.split(`--${boundary}`).map((part) => readPart(part.replace(/^\r\n/, "")));
  const ofType = (type: string) =>
    parts.find((part) => part.headers.get("content-type")?.startsWith(type))?.body ?? "";
  return { headers, text: ofType("text/plain"), html: ofType("text/html") };
}
