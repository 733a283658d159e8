/** @module Shows a server's widgets one after the other, to see whether each begins. */
import type { BootWidgets, SeenBoot, WidgetToBoot } from "@fettle/checks";
import type { Target } from "@fettle/mcp";
import { toCliError } from "../cli-error.ts";
import type { World } from "../world.ts";
import { type Appearance, openStage } from "./stage.ts";

export interface BootOptions {
  world: World;
  target: Target;
  browser?: string | undefined;
  noSandbox?: boolean | undefined;
  remainingMs(): number;
  onUnsandboxed(): void;
}

const viewport = { width: 1_280, height: 800 };
const protocols = { mcp: "mcp-apps", openai: "openai-sdk" } as const;

/** Throws where there is no browser: then nobody can say. */
export const bootWidgetsIn =
  (options: BootOptions): BootWidgets =>
  async (widgets) => {
    await using stage = await openStage({ ...options, context: { viewport } }).catch((thrown) => {
      const { message, hint = "" } = toCliError(thrown);
      throw new Error(`${message} ${hint}`.trim());
    });
    const seen: SeenBoot[] = [];
    for (const widget of widgets) {
      const { toolName, dialect } = widget;
      const shown = { toolName, parameters: {}, result: { content: [] }, protocol: protocols[dialect] };
      seen.push(
        await stage.show(shown).then(
          (appearance) => seenOf(widget, appearance),
          (thrown) => ({ ...widget, end: { unseen: toCliError(thrown).message }, errors: [] }),
        ),
      );
    }
    return seen;
  };

function seenOf(widget: WidgetToBoot, { fault, reason = "", readyAt, troubles }: Appearance): SeenBoot {
  const errors = troubles
    .filter(({ kind, at }) => kind !== "console" && (readyAt === undefined || at < readyAt))
    .map(({ text }) => text);
  const [first] = errors;
  if (fault === undefined) return { ...widget, end: { begun: true }, errors };
  if (fault !== "bridge_timeout") return { ...widget, end: { unseen: reason }, errors };
  return {
    ...widget,
    end: { fault: first === undefined ? reason : `${reason} It failed before: ${first}` },
    errors,
  };
}
