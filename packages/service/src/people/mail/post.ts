/** @module One letter to the operator's mail server. Its errors name what failed, and nothing of the letter, its reader or the password. */
import { limits } from "@fettle/contract/core";
import { z } from "zod";
import type { MailConfig } from "../../core/config/config.ts";
import { PermanentFailure } from "../../core/jobs/define.ts";

export interface AddressedLetter {
  letterId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Where the server is, and what is demanded of the way there. */
function transportOf({ server, tls }: MailConfig) {
  const url = new URL(server.reveal());
  const isTlsFromStart = url.protocol === "smtps:";
  const user = decodeURIComponent(url.username);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (isTlsFromStart ? 465 : 587) : Number(url.port),
    secure: isTlsFromStart,
    requireTLS: tls === "required",
    // Where none is demanded, whatever there is beats none.
    tls: { rejectUnauthorized: tls === "required" },
    ...(user !== "" && { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: limits.mail.connectMs,
    greetingTimeout: limits.mail.connectMs,
    socketTimeout: limits.mail.silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * Resolves when the server has taken the letter. One that is sent again, because a process died before it could write that down,
 * has the same `Message-ID`: mailboxes show it once.
 */
export async function handOver(
  mail: MailConfig,
  letter: AddressedLetter,
  signal: AbortSignal,
): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(transportOf(mail));
  const close = () => transport.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    await transport.sendMail({
      from: mail.from,
      // As a value of its own, never as a header's text: nothing in it can name a second reader.
      to: { name: "", address: letter.to },
      messageId: `<${letter.letterId}@${mail.from.address.split("@").at(-1)}>`,
      subject: letter.subject,
      text: letter.text,
      html: letter.html,
      // So that no holiday notice answers it.
      headers: { "Auto-Submitted": "auto-generated" },
    });
  } catch (error) {
    throw failureOf(error);
  } finally {
    signal.removeEventListener("abort", close);
    transport.close();
  }
}

const SmtpFault = z.object({ code: z.string().optional(), responseCode: z.number().optional() });

/** What a mail server says of a letter may quote its reader, so only the numbers are kept. */
function failureOf(error: unknown): Error {
  const { code, responseCode } = SmtpFault.catch({}).parse(error);
  const said = responseCode !== undefined ? ` (${responseCode})` : "";
  const message = `the mail server did not take a letter: ${code ?? "UNKNOWN"}${said}`;
  // A mailbox or letter that it will never take; a refused sign-in is the operator's to mend, and is tried again.
  const isFinal = (code === "EENVELOPE" || code === "EMESSAGE") && (responseCode ?? 0) >= 500;
  return isFinal ? new PermanentFailure(message) : new Error(message);
}
