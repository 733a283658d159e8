/**
 * @module A place where widgets are shown with nobody looking: the inspector's own page, in a browser without a window. What is true of a widget
 * there is true of it in the inspector, since there is no second renderer.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type InspectorPayloads, InspectorShown } from "@fettle/contract/inspector";
import type { JsonObject, Target } from "@fettle/mcp";
import { CliError } from "../cli-error.ts";
import {
  command,
  connectServer,
  findInspector,
  type Inspector,
  pageUrl,
  statusOf,
} from "../inspector/control.ts";
import { keepServer } from "../inspector/keep-server.ts";
import type { World } from "../world.ts";
import { type Chromium, launchChromium } from "./chromium.ts";
import { findChromium, noBrowser } from "./find-chromium.ts";
import { type WidgetTrouble, watchFrames } from "./frames.ts";
import { type Picture, takePicture } from "./picture.ts";

export interface StageOptions {
  world: World;
  target: Target;
  /** The program; found when it is not said. */
  browser?: string | undefined;
  noSandbox?: boolean | undefined;
  /** Another than the one that is started for this. */
  inspectorUrl?: string | undefined;
  serverName?: string | undefined;
  context: InspectorPayloads["setAppContext"] & { viewport: { width: number; height: number } };
  /** Milliseconds that are left, at least one. */
  remainingMs(): number;
  /** The browser's sandbox is off. */
  onUnsandboxed(): void;
}

/** What became of a widget. */
export interface Appearance extends InspectorShown {
  troubles: readonly WidgetTrouble[];
}

export interface ShownResult {
  toolName: string;
  parameters: JsonObject;
  result: JsonObject;
  /** Which of its documents. */
  protocol?: InspectorPayloads["setAppContext"]["protocol"];
}

export interface Stage {
  browser: { path: string; product: string; sandbox: boolean };
  /** The tool is not called: its result is shown. */
  show(shown: ShownResult): Promise<Appearance>;
  /** Once the widget stands still, with what went wrong until then. */
  picture(): Promise<Picture & Pick<Appearance, "troubles">>;
  [Symbol.asyncDispose](): Promise<void>;
}

const pollMs = 100;

export async function openStage(options: StageOptions): Promise<Stage> {
  const { world, target, context, remainingMs } = options;
  await using opened = new AsyncDisposableStack();
  const path = findChromium(world, options.browser);
  if (path === undefined) throw noBrowser("No browser was found on this machine.");
  // Chromium refuses to start as root with its sandbox on.
  const isSandboxed = !options.noSandbox && process.getuid?.() !== 0;
  if (!isSandboxed) options.onUnsandboxed();
  const inspector = await inspectorFor(options, opened);
  const { locale, timeZone } = context;
  const chromium = opened.use(await launchChromium({ path, isSandboxed, locale, timeZone, env: world.env }));
  const server = await keepServer(inspector, target, options.serverName);
  const page = await openPage(chromium, inspector, options);
  const moved = opened.move();

  async function show({ toolName, parameters, result, protocol }: ShownResult): Promise<Appearance> {
    const { name: serverName, id } = server;
    page.troubles.length = 0;
    await obeyed({ type: "openPlayground", payload: { serverName } });
    const away = await connectServer(inspector, id);
    if (away) throw new CliError("SERVER_UNREACHABLE", away.message);
    await obeyed({ type: "setAppContext", payload: { ...context, ...(protocol && { protocol }) } });
    const surface = "playground";
    const payload = { surface, serverName, toolName, parameters, result } as const;
    const shown = InspectorShown.parse(await obeyed({ type: "renderToolResult", payload }));
    const begun = isSlow(shown) ? await untilBegun(shown) : shown;
    // It goes to another mode once it is there, if it can.
    const settled =
      begun.widget === "initialized"
        ? ((await page.evaluate<InspectorShown | null>(drawnScript)) ?? begun)
        : begun;
    return { ...settled, troubles: [...page.troubles] };
  }

  /** On a busy machine a widget may begin after the page said that it did not. */
  const isSlow = ({ fault }: InspectorShown) =>
    fault === "bridge_timeout" && !page.troubles.some(({ kind }) => kind !== "console");

  async function untilBegun(shown: InspectorShown): Promise<InspectorShown> {
    while (remainingMs() > keptBack) {
      const begun = await page.evaluate<InspectorShown | null>(begunScript);
      if (begun) return begun;
      await wait(pollMs);
    }
    return shown;
  }

  async function obeyed(body: Parameters<typeof command>[1]): Promise<unknown> {
    const answer = await command(
      inspector,
      { ...body, target: page.clientId },
      Math.min(remainingMs(), commandMs),
    );
    if (answer.status === "success") return answer.result;
    const { code, message } = answer.error;
    throw new CliError(code === "timeout" ? "TIMEOUT" : "OPERATIONAL_ERROR", message, { details: { code } });
  }

  return {
    browser: { path, product: chromium.product, sandbox: isSandboxed },
    show,
    picture: async () => {
      const picture = await takePicture(chromium.devtools, page, context.viewport, remainingMs);
      return { ...picture, troubles: [...page.troubles] };
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

const commandMs = 60_000;
/** Of the time there is, for a picture of it. */
const keptBack = 3_000;
const begunScript = `(() => {
  const { readyAt, mode } = document.querySelector('[data-testid="widget"][data-state="ready"]')?.dataset ?? {};
  return mode ? { widget: "initialized", displayMode: mode, readyAt: Number(readyAt) } : null;
})()`;
const drawnScript = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => ${begunScript})`;

async function inspectorFor(
  { world, inspectorUrl }: StageOptions,
  opened: AsyncDisposableStack,
): Promise<Inspector> {
  if (inspectorUrl !== undefined) {
    const running = await findInspector(world, inspectorUrl);
    if (running) return running;
    throw new CliError("SERVER_UNREACHABLE", `No inspector answers at ${inspectorUrl}.`);
  }
  const { startInspector } = await import("@fettle/service/inspector");
  // A home of its own: what the person keeps is neither shown nor changed.
  const home = await mkdtemp(join(tmpdir(), "fettle-render-"));
  opened.defer(() => rm(home, { recursive: true, force: true }));
  const inspector = await startInspector({ home, port: 0 });
  opened.defer(() => inspector.stop());
  return inspector.state;
}

export interface DrawnPage {
  session: string;
  /** As the inspector calls it. */
  clientId: string;
  troubles: WidgetTrouble[];
  evaluate<T>(expression: string): Promise<T>;
}

async function openPage(
  { devtools }: Chromium,
  inspector: Inspector,
  { context: { viewport, theme }, remainingMs }: StageOptions,
): Promise<DrawnPage> {
  const known = new Set((await statusOf(inspector)).clients.map(({ clientId }) => clientId));
  const { send } = devtools;
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const session = String(sessionId);
  const troubles = await watchFrames(devtools, session, theme);
  await send(
    "Emulation.setDeviceMetricsOverride",
    { ...viewport, deviceScaleFactor: 1, mobile: false },
    session,
  );
  await send("Page.navigate", { url: (await pageUrl(inspector, "/p/proj_local/servers")).href }, session);
  for (;;) {
    const { clients } = await statusOf(inspector);
    const own = clients.find(
      ({ clientId, ready, userAgent }) => ready && !known.has(clientId) && userAgent.includes("Headless"),
    );
    if (own) {
      const { clientId } = own;
      return {
        session,
        clientId,
        troubles,
        evaluate: (expression) => evaluate(devtools, session, expression),
      };
    }
    if (remainingMs() <= pollMs) throw new CliError("TIMEOUT", "The inspector's page did not open in time.");
    await wait(pollMs);
  }
}

/** Of our own words alone, never of a server's. */
export async function evaluate<T>(
  { send }: Pick<Chromium["devtools"], "send">,
  session: string,
  expression: string,
): Promise<T> {
  const answer = await send(
    "Runtime.evaluate",
    { expression, awaitPromise: true, returnByValue: true },
    session,
  );
  const { result, exceptionDetails } = answer as {
    result?: { value: T };
    exceptionDetails?: { text: string };
  };
  if (exceptionDetails || !result) throw new Error(`The page failed: ${exceptionDetails?.text}`);
  return result.value;
}
