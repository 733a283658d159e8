/** @module What the commands of `models` take. */
import { modelProviderIds } from "@fettle/contract/models";
import { modelConfigFlag } from "../../eval/model-config-flag.ts";
import { flags } from "../../program/flag.ts";

const providerFlag = flags({
  provider: {
    kind: "choice",
    choices: modelProviderIds,
    value: "provider",
    help: "Only this provider",
  },
});

export const listFlags = flags({ ...providerFlag });

export const checkFlags = flags({ ...providerFlag, ...modelConfigFlag });
