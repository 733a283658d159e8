/** @module What happens in the frames of a page that is drawn: each is a process of its own, and is told what holds for the page before it begins. */
import type { Devtools } from "./devtools.ts";

/** Something that went wrong in a widget. */
export interface WidgetTrouble {
  kind: "uncaught" | "console" | "crashed";
  text: string;
  /** By the clock of this machine, in milliseconds. */
  at: number;
}

const most = 100;
const textLength = 1_000;

/** Goes on with every frame that begins in the page from now on. */
export async function watchFrames(
  { send, listen }: Devtools,
  pageSession: string,
  theme: "light" | "dark" | undefined,
): Promise<WidgetTrouble[]> {
  const troubles: WidgetTrouble[] = [];
  const frames = new Set<string>();
  const note = (trouble: WidgetTrouble) => {
    if (troubles.length < most) troubles.push({ ...trouble, text: trouble.text.slice(0, textLength) });
  };
  const attach = (sessionId: string) =>
    send(
      "Target.setAutoAttach",
      { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
      sessionId,
    );

  /** A frame may go at any time; then what is asked of it is refused. */
  async function prepare(sessionId: string): Promise<void> {
    frames.add(sessionId);
    await Promise.allSettled([
      attach(sessionId),
      send("Runtime.enable", {}, sessionId),
      send("Inspector.enable", {}, sessionId),
      setTheme(sessionId),
      send("Runtime.runIfWaitingForDebugger", {}, sessionId),
    ]);
  }

  const setTheme = async (sessionId: string) =>
    theme &&
    send(
      "Emulation.setEmulatedMedia",
      { features: [{ name: "prefers-color-scheme", value: theme }] },
      sessionId,
    );

  listen(({ method, params, sessionId = "" }) => {
    if (method === "Target.attachedToTarget") return void prepare(String(params.sessionId));
    if (!frames.has(sessionId)) return;
    if (method === "Runtime.exceptionThrown") note({ kind: "uncaught", ...thrown(params) });
    else if (method === "Runtime.consoleAPICalled" && params.type === "error") {
      note({ kind: "console", text: argumentsText(params.args), at: Number(params.timestamp) });
    } else if (method === "Inspector.targetCrashed") {
      note({ kind: "crashed", text: "The widget's process crashed.", at: Date.now() });
    }
  });
  await Promise.all([attach(pageSession), setTheme(pageSession)]);
  return troubles;
}

function thrown({ timestamp, exceptionDetails }: Record<string, unknown>): Omit<WidgetTrouble, "kind"> {
  const { text, exception } = exceptionDetails as { text?: string; exception?: { description?: string } };
  return { text: exception?.description ?? text ?? "An error that says nothing.", at: Number(timestamp) };
}

function argumentsText(args: unknown): string {
  if (!Array.isArray(args)) return "";
  return args
    .map(({ value, description }: { value?: unknown; description?: string }) => description ?? String(value))
    .join(" ");
}
