/** @module `--enable` and `--disable`: one switch, said by two flags. */
import { usageError } from "../cli-error.ts";

interface Switch {
  enable: boolean;
  disable: boolean;
}

/** For a command that is about the switch alone. */
export function switched({ enable, disable }: Switch): { enabled: boolean } {
  if (enable === disable) throw usageError("Say --enable or --disable, one of them.");
  return { enabled: enable };
}

/** For a command that may leave the switch as it stands. */
export function maybeSwitched(said: Switch): { enabled?: boolean } {
  return said.enable || said.disable ? switched(said) : {};
}
