/** @module The flag that names a file of model settings. Apart from what reads it, so that help loads no models. */
import { flags } from "../program/flag.ts";

export const modelConfigFlag = flags({
  config: {
    kind: "text",
    value: "path",
    help: "YAML whose models section sets up providers; keys also come from the environment",
  },
});
