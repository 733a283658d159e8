/** @module Why a pin was refused or an environment cannot run, in words that say what to do about it. */
import type { ApiError } from "@fettle/contract/core";

/** What to do about a refused pin. What is wrong, and with which, the service says itself. */
const pinAdvice: Record<string, string> = {
  HOST_NOT_FOUND: "Choose another client; this one was deleted.",
  SERVER_GROUP_NOT_FOUND: "Choose another group, or none.",
  SKILL_NOT_FOUND: "Take it off the list; it was deleted or is another person's draft.",
  SKILL_PINNED_TWICE: "Take one of the two off.",
  PERSONAL_SKILL: "Share the skill with the project first.",
  SUPPORTING_FILES: "Only skills that are a single SKILL.md can be pinned.",
  EXTRA_FRONTMATTER: "Only name and description may stand in its front matter.",
  PLUGIN_COMPONENT: "Pin the plugin's version instead; its skills come with it.",
  PLUGIN_VERSION_NOT_FOUND: "Take the version off; it is not there any more.",
  PLUGIN_NOT_INSTALLED: "Install the plugin again, or take its version off.",
  PLUGIN_DISABLED: "Enable the plugin, or take its version off.",
  PLUGIN_VERSION_NOT_READY: "Choose a version that is ready.",
  PLUGIN_PINNED_TWICE: "Keep one version of each plugin.",
  PLUGIN_SKILL_SUPPORTING_FILES: "Choose a version whose skills are single files.",
  SANDBOX_IMAGE_NOT_FOUND: "Choose another image, or none.",
  EMPTY_PIN: "To pin nothing, clear it.",
};

/** The form's names for what the API calls otherwise. */
const formNames: Record<string, string> = { skillSelection: "skillIds" };

/**
 * A refused pin by the field it belongs to, to be said beside it.
 *
 * @example
 * pinErrors(failure) // { pluginVersionIds: "Shop tools is disabled. Enable the plugin, or take its version off." }
 */
export function pinErrors(failure: ApiError | null): Record<string, string> {
  const { path, code } = failure?.details ?? {};
  if (failure?.code !== "VALIDATION_ERROR" || typeof path !== "string") return {};
  const field = path.replace(/^body\./, "").replace(/\..*/s, "");
  const said = [failure.message, pinAdvice[String(code)]].filter(Boolean).join(" ");
  return { [formNames[field] ?? field]: said };
}

/** A name that is taken, said at the name. */
export function nameErrors(failure: ApiError | null): Record<string, string> {
  if (failure?.code !== "CONFLICT" || failure.details?.code !== "NAME_TAKEN") return {};
  return { name: `${failure.message} Choose another name.` };
}

export interface Explained {
  title: string;
  /** What makes it run again. */
  advice: string;
}

const runAdvice: Record<string, Explained> = {
  ENV_ARCHIVED: { title: "It is archived", advice: "Restore it, then it can run." },
  ENV_HOST_MISSING: { title: "Its client was deleted", advice: "Choose another client under Settings." },
  ENV_HOST_DRIFT: {
    title: "Its client was changed meanwhile",
    advice: "Look at the client again, then start anew.",
  },
  ENV_NO_SERVERS: {
    title: "There is no server to connect to",
    advice: "Attach a server to its client, or pin a group in which one is live and enabled.",
  },
  ENV_PLUGIN_UNAVAILABLE: {
    title: "A pinned plugin version is not there",
    advice: "Choose a version that is ready, or take the pin off under Settings.",
  },
  ENV_PLUGIN_DISABLED: {
    title: "A pinned plugin is disabled",
    advice: "Enable the plugin, or take its pin off under Settings.",
  },
  ENV_PLUGIN_OVERRIDE_NOT_PINNED: {
    title: "A plugin is overridden that is not pinned",
    advice: "Pin the plugin's version under Settings.",
  },
  ENV_PLUGIN_OVERRIDE_UNATTRIBUTED: {
    title: "An override belongs to no pinned plugin",
    advice: "Pin the plugin it belongs to, or take the override out.",
  },
  ENV_SKILL_UNAVAILABLE: {
    title: "A pinned skill cannot be used",
    advice: "It was deleted or can no longer be pinned. Take it off under Settings.",
  },
  ENV_MODEL_REQUIRED: {
    title: "No model is named",
    advice: "Name a model in its client, or here under Settings.",
  },
  ENV_REVISION_CONFLICT: { title: "It was changed meanwhile", advice: "Look at it again." },
};

/** Why it cannot run; undefined when the failure is about something else. */
export function explainRefusal(failure: ApiError): (Explained & { code: string }) | undefined {
  const code = failure.details?.code;
  if (failure.code !== "CONFLICT" || typeof code !== "string") return undefined;
  // A reason of a newer service is still told by its own words.
  return { code, ...(runAdvice[code] ?? { title: "It cannot run as it is", advice: "" }) };
}
