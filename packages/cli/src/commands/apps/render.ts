/** @module `fettle apps render`: calls a tool once, shows its widget with nobody looking, and takes a picture of it. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { exitCodes } from "@fettle/contract/core";
import { inspectorLimits } from "@fettle/contract/inspector";
import { isObject, type JsonObject, type Target, targetLabel } from "@fettle/mcp";
import { CliError, toCliError, usageError } from "../../cli-error.ts";
import { withWidgets } from "../../conformance/apps-run.ts";
import { type OpenServer, planConnection, withPlan } from "../../connection/open-server.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { Picture } from "../../widgets/picture.ts";
import { contextOf, refuseUnknownPlace, unsandboxed } from "../../widgets/place-flags.ts";
import { type Appearance, openStage, type Stage } from "../../widgets/stage.ts";
import type { appsRenderFlags } from "./flags.ts";

type RenderCall = Call<typeof appsRenderFlags, NoArguments>;

/** How it ended: the first is the only good one. */
type Status =
  | "rendered"
  | "no_ui_resource"
  | "resource_read_failed"
  | "mount_failed"
  | "bridge_timeout"
  | "render_error"
  | "blank_screenshot"
  | "screenshot_failed"
  | "browser_unavailable";

interface Rendering {
  status: Status;
  message?: string;
  hint?: string;
  displayMode?: Appearance["displayMode"];
  viewport: { width: number; height: number };
  browser?: Stage["browser"];
  screenshot?: object;
  /** What went wrong in the widget, whether or not it is shown. */
  troubles: Appearance["troubles"];
}

export async function run(call: RenderCall): Promise<Outcome> {
  const { flags } = call;
  refuseUnknownPlace(flags);
  const viewport = viewportOf(flags);
  const { toolName } = flags;
  if (toolName === undefined) throw usageError("--tool-name is needed.");
  const toolArgs = await readArguments(call);
  const planned = await planConnection(call);
  const plan = { ...planned, capabilities: withWidgets(planned.capabilities) };
  const startedAt = performance.now();
  return withPlan(call, plan, async (server) => {
    const result = await server.connection.callTool(toolName, toolArgs, { signal: server.deadline.signal });
    const durationMs = Math.round(performance.now() - startedAt);
    const rendering = await render(call, server, {
      target: plan.target,
      toolName,
      toolArgs,
      result,
      viewport,
    });
    return outcomeOf(call, { target: plan.target, toolName, toolArgs, result, durationMs }, rendering);
  });
}

const sizes = {
  mobile: { width: 430, height: 932 },
  tablet: { width: 820, height: 1_180 },
  desktop: { width: 1_280, height: 800 },
} as const;

function viewportOf({ viewport, device = "desktop" }: RenderCall["flags"]) {
  if (viewport === undefined) return sizes[device];
  const { least, most } = inspectorLimits.viewport;
  const [, width, height] = (/^(\d{2,4})x(\d{2,4})$/i.exec(viewport) ?? []).map(Number);
  const isGood = (side: number | undefined): side is number =>
    side !== undefined && side >= least && side <= most;
  if (isGood(width) && isGood(height)) return { width, height };
  throw usageError(`--viewport takes two sides of ${least} to ${most} pixels, such as 390x844.`);
}

async function readArguments({ flags, input }: RenderCall): Promise<JsonObject> {
  if (!flags.toolArgsStdin) {
    return flags.toolArgs === undefined ? {} : input.jsonObject("--tool-args", flags.toolArgs);
  }
  if (flags.toolArgs === undefined) return input.jsonObject("--tool-args-stdin", "-");
  throw usageError("--tool-args-stdin cannot be combined with --tool-args.");
}

interface Called {
  target: Target;
  toolName: string;
  toolArgs: JsonObject;
  result: unknown;
}

/** Whatever goes wrong on the way, the tool was called, and its result is not lost. */
async function render(
  call: RenderCall,
  { deadline }: OpenServer,
  called: Called & { viewport: Rendering["viewport"] },
): Promise<Rendering> {
  const { flags, world, print } = call;
  const { viewport, target } = called;
  const done = print.progress("Showing the widget ...");
  try {
    await using stage = await openStage({
      world,
      target,
      browser: flags.browser,
      noSandbox: flags.noSandbox,
      inspectorUrl: flags.inspectorUrl ?? world.env.FETTLE_INSPECTOR_URL,
      serverName: flags.serverName,
      context: {
        ...contextOf(flags),
        ...(flags.displayMode && { displayMode: flags.displayMode }),
        viewport,
      },
      remainingMs: deadline.remainingMs,
      onUnsandboxed: () => print.warn(unsandboxed),
    });
    const result = isObject(called.result) ? called.result : {};
    const shown = await stage.show({
      toolName: called.toolName,
      parameters: called.toolArgs,
      result,
      protocol: flags.protocol,
    });
    return { viewport, browser: stage.browser, ...(await judged(call, stage, shown)) };
  } catch (thrown) {
    const { code, message, hint } = toCliError(thrown);
    const status = code === "BROWSER_UNAVAILABLE" ? "browser_unavailable" : "mount_failed";
    return { status, message, ...(hint !== undefined && { hint }), viewport, troubles: [] };
  } finally {
    done();
  }
}

async function judged(
  call: RenderCall,
  stage: Stage,
  { widget, fault, reason, displayMode, troubles }: Appearance,
): Promise<Omit<Rendering, "viewport" | "browser">> {
  if (widget === "none") {
    return { status: "no_ui_resource", message: "Neither the tool nor its result names a widget.", troubles };
  }
  if (widget === "fallback") {
    const uncaught = troubles.find(({ kind }) => kind !== "console");
    const isOwn = fault === undefined || (fault === "bridge_timeout" && uncaught);
    const message = uncaught?.text ?? reason ?? "The widget is not shown.";
    return { status: isOwn ? "render_error" : fault, message, troubles };
  }
  const mode = displayMode && { displayMode };
  try {
    const picture = await stage.picture();
    const at = { ...mode, troubles: picture.troubles };
    const screenshot = await kept(call, picture);
    if (!picture.isBlank) return { status: "rendered", screenshot, ...at };
    return {
      status: "blank_screenshot",
      message: "The widget has begun, and shows nothing.",
      screenshot,
      ...at,
    };
  } catch (thrown) {
    return { status: "screenshot_failed", message: toCliError(thrown).message, ...mode, troubles };
  }
}

async function kept({ flags, world }: RenderCall, picture: Picture): Promise<object> {
  const { png, width, height, sha256, isStill } = picture;
  const path = flags.screenshotOut && resolve(world.cwd, flags.screenshotOut);
  if (path) {
    await writeFile(path, png).catch((cause) => {
      throw new CliError("OPERATIONAL_ERROR", `The picture could not be written to ${path}.`, { cause });
    });
  }
  return {
    ...(path && { path }),
    ...(flags.screenshotBase64 && { base64: png.toString("base64") }),
    width,
    height,
    bytes: png.length,
    sha256,
    still: isStill,
  };
}

function outcomeOf(
  { flags, print }: RenderCall,
  { target, toolName, toolArgs, result, durationMs }: Called & { durationMs: number },
  rendering: Rendering,
): Outcome {
  const { status, message = "", hint, screenshot } = rendering;
  const isRendered = status === "rendered";
  // Without a picture that was asked for, the command has not done what it was told.
  const isMissed = (flags.screenshotOut !== undefined || flags.screenshotBase64) && !screenshot;
  const isError = isObject(result) && result.isError === true;
  const isFailed = isError || isMissed || (flags.requireRender && !isRendered);
  const exitCode = isFailed ? exitCodes.failed : exitCodes.ok;
  if (!isRendered) print.warn(text`The widget was not rendered (${status}): ${message}`);
  return {
    value: {
      success: exitCode === exitCodes.ok,
      command: "apps render",
      target: targetLabel(target),
      toolName,
      parameterKeys: Object.keys(toolArgs),
      result: isObject(result) ? { ...result, _durationMs: durationMs } : result,
      render: rendering,
    },
    human: () => told(toolName, rendering),
    ...(hint !== undefined && { hint }),
    exitCode,
  };
}

function told(toolName: string, { status, displayMode, screenshot, troubles }: Rendering): Text {
  const { width, height, path } = { ...screenshot } as { width?: number; height?: number; path?: string };
  const mark = status === "rendered" ? style.green("✓") : style.red("✗");
  return lines([
    text`${mark} ${toolName}: ${status}${displayMode ? `, ${displayMode}` : ""}${width ? `, ${width}x${height}` : ""}`,
    ...(path ? [text`  ${style.cyan(path)}`] : []),
    ...troubles.map(({ kind, text: said }) => text`  ${style.yellow(kind)} ${said.split("\n", 1)[0] ?? ""}`),
  ]);
}
