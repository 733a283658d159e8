/** @module A server that already speaks HTTP: requests go to its one address, answers come back as they are. */
import { endToEnd } from "@fettle/contract/formats";
import { createHttpClient, isMcpError, localPolicy, stderrHeader } from "@fettle/mcp";
import { type Upstream, UpstreamFailure } from "./upstream.ts";

/** The relay has its own patience; a stream may rest for as long as it is wanted. */
const patience = {
  connectMs: 10_000,
  firstByteMs: Number.POSITIVE_INFINITY,
  idleMs: Number.POSITIVE_INFINITY,
  totalMs: Number.POSITIVE_INFINITY,
};

export function httpUpstream(target: string): Upstream {
  const client = createHttpClient({ policy: localPolicy });
  return {
    async request({ method, url, headers: { [stderrHeader]: _, ...headers }, body, signal }) {
      const response = await client
        .request({
          method,
          url: addressFor(target, url),
          headers,
          signal,
          redirect: "manual",
          timeouts: patience,
          maxBodyBytes: Number.POSITIVE_INFINITY,
          ...(body.length > 0 && { body }),
        })
        .catch((error: unknown) => {
          throw new UpstreamFailure(
            "upstream_error",
            isMcpError(error) ? error.message : String(error),
            error,
          );
        });
      return {
        status: response.status,
        headers: endToEnd(Object.entries(response.headers)),
        body: response.body,
      };
    },
    close: async () => client.close(),
  };
}

/** The tunnel has one address, so only the query is the caller's. */
function addressFor(target: string, asked: string): URL {
  const url = new URL(target);
  for (const [name, value] of new URL(asked, "http://tunnel.invalid").searchParams) {
    url.searchParams.append(name, value);
  }
  return url;
}

/** Why nothing answers there at this moment; undefined when something does. */
export async function whyUnreachable(target: string): Promise<string | undefined> {
  const client = createHttpClient({ policy: localPolicy });
  try {
    const timeouts = { connectMs: 2_000, firstByteMs: 2_000 };
    const response = await client.request({ method: "GET", url: target, redirect: "manual", timeouts });
    response.cancel();
    return undefined;
  } catch (error) {
    if (!isMcpError(error)) throw error;
    // It is there, only slow to answer a GET, which it may keep open for events.
    return error.code === "TIMEOUT" && error.details.phase !== "connect" ? undefined : error.message;
  } finally {
    client.close();
  }
}
