/** @module The door of the local inspector's pages: a code from the terminal, or another tab that is in already. */
import { readAnswer } from "@fettle/contract/client";
import { keepLocalToken, localToken } from "../api/local.ts";

const channelName = "fettle-inspector-door";
/** Another tab answers at once, or is not there. */
const patience = 300;

/** Resolves when the page is in; where it is not, it says how to get in and never resolves. */
export async function enter(): Promise<void> {
  const code = takeCode();
  if (code !== undefined) await exchange(code).catch(() => {});
  if (localToken() === undefined) await askOtherTabs();
  if (localToken() === undefined) await askPerson();
  answerOtherTabs();
}

/** Out of the address before anything else sees it. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get("k");
  if (code === null) return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  return code;
}

async function exchange(code: string): Promise<void> {
  const response = await fetch("/api/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const { token } = (await readAnswer(response)) as { token: string };
  keepLocalToken(token);
}

function askOtherTabs(): Promise<void> {
  const channel = new BroadcastChannel(channelName);
  return new Promise((resolve) => {
    const end = () => {
      channel.close();
      resolve();
    };
    const timer = setTimeout(end, patience);
    channel.onmessage = ({ data }: MessageEvent<{ token?: unknown }>) => {
      if (typeof data.token !== "string") return;
      keepLocalToken(data.token);
      clearTimeout(timer);
      end();
    };
    channel.postMessage({ ask: true });
  });
}

function answerOtherTabs(): void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<{ ask?: unknown }>) => {
    const token = localToken();
    if (data.ask === true && token !== undefined) channel.postMessage({ token });
  };
}

async function askPerson(): Promise<void> {
  const { showDoor } = await import("./not-admitted.tsx");
  await showDoor(exchange);
}
