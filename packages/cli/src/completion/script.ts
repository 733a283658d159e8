/** @module A completion script for each shell, made from the registry. */

import type { CommandNode } from "../program/command.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import type { Shell } from "./shells.ts";
import { type Place, places } from "./words.ts";
import { zshScript } from "./zsh.ts";

const scripts: Record<Shell, (places: readonly Place[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export function completionScript(shell: Shell, root: CommandNode): string {
  return scripts[shell](places(root));
}
