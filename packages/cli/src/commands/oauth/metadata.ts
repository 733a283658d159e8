/** @module `fettle oauth metadata`: one metadata document, or the reason there is none. */

import { endToEnd } from "@fettle/contract/formats";
import { asMcpError, isMcpError } from "@fettle/mcp";
import { CliError } from "../../cli-error.ts";
import { asCliError } from "../../connection/failure.ts";
import { defaultTimeoutMs } from "../../connection/open-server.ts";
import { withGuardedClient } from "../../oauth/guarded-request.ts";
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { answerText } from "./answer-text.ts";
import type { oauthMetadataFlags } from "./flags.ts";

const maxBytes = 256 * 1024;

export async function run({ flags, global }: Call<typeof oauthMetadataFlags, NoArguments>): Promise<Outcome> {
  const totalMs = global.timeout ?? defaultTimeoutMs;
  try {
    return await withGuardedClient(flags.url, async (http, url) => {
      const response = await http.request({
        method: "GET",
        url,
        headers: { accept: "application/json" },
        maxBodyBytes: maxBytes,
        timeouts: { totalMs },
      });
      const text = await response.text();
      const { status, statusText } = response;
      if (status < 200 || status > 299) {
        throw new CliError(
          codes[status] ?? "INTERNAL_ERROR",
          `The address answers ${status} ${statusText}.`.replace(" .", "."),
          {
            details: { url: response.url, status },
            hint: "Metadata lives under /.well-known/; `fettle server probe` finds where a server keeps its own.",
          },
        );
      }
      const body = documentOf(text, response.url);
      const headers = Object.fromEntries(endToEnd(Object.entries(response.headers)));
      const shown = { status, statusText, headers, body, finalUrl: response.url };
      // Machines want the document; people also want to know how it came.
      return { value: body, human: () => answerText(shown) };
    });
  } catch (error) {
    if (isMcpError(error, "TIMEOUT"))
      throw new CliError("TIMEOUT", asMcpError(error).message, { cause: error });
    throw asCliError(error);
  }
}

/** How a status is named among the API's own errors. */
const codes: Record<number, string> = {
  400: "VALIDATION_ERROR",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  429: "RATE_LIMITED",
  502: "SERVER_UNREACHABLE",
  504: "TIMEOUT",
};

function documentOf(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError("OPERATIONAL_ERROR", "The answer is no JSON document.", {
      details: { url, excerpt: text.slice(0, 200) },
      cause,
    });
  }
}
