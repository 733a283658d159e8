/** @module A browser as far as the service can tell: it keeps cookies and sends our pages' header. */
import type { UserId } from "@fettle/contract/core";
import { startSession } from "../people/accounts/sign-in/sessions.ts";
import type { Answer, Request, TestService } from "./service.ts";

export interface TestBrowser {
  call(path: string, request?: Request): Promise<Answer>;
  /** What it holds now, by name; a test may plant one. */
  cookies: Map<string, string>;
}

/**
 * @example
 * const browser = testBrowser(service);
 * await browser.call("/app/sign-in", { method: "POST", body: { email, password } });
 */
export function testBrowser(service: Pick<TestService, "call">): TestBrowser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    call: async (path, request = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await service.call(path, {
        ...request,
        headers: { "x-fettle-app": "1", ...(cookie && { cookie }), ...request.headers },
      });
      for (const line of answer.headers.getSetCookie()) keep(cookies, line);
      return answer;
    },
  };
}

/** A browser somebody is signed in with, without the slow way through a password. */
export async function signedInBrowser(
  service: Pick<TestService, "app" | "call">,
  userId: UserId,
): Promise<TestBrowser> {
  const browser = testBrowser(service);
  const cookies = await startSession(service.app, userId, { ip: "127.0.0.1", headers: {} });
  for (const line of cookies) keep(browser.cookies, line);
  return browser;
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (/; Max-Age=0(;|$)/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}
