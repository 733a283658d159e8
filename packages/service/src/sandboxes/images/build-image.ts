/** @module Builds an image in the engine: the steps of `initialize`, one after the other in one container of the base, which is then kept. */
import type { ProjectId, SandboxImageBuildId } from "@fettle/contract/core";
import type { SandboxConfig } from "../../core/config/config.ts";
import type { Recipe } from "../../core/tables/sandbox-images.ts";
import { bringBase } from "../engine/base-image.ts";
import { type Engine, labelsFor } from "../engine/engine.ts";
import { held, idleCommand } from "../engine/exec-limits.ts";
import type { PlainText } from "../engine/plain-text.ts";

/** What the engine calls a built image. */
export const builtName = (projectId: ProjectId) => `localhost/fettle-build/${projectId}`;
export const builtTag = (projectId: ProjectId, contentHash: string) =>
  `${builtName(projectId)}:${contentHash}`;

/** A step that went wrong; said to whoever builds. */
export class StepFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StepFailed";
  }
}

export interface BuildWanted {
  id: SandboxImageBuildId;
  projectId: ProjectId;
  contentHash: string;
  recipe: Recipe;
}

/** The engine's name for what was built. Leaves no container behind, whatever happens but its own end. */
export async function buildImage(
  engine: Engine,
  config: SandboxConfig,
  { id, projectId, contentHash, recipe }: BuildWanted,
  log: PlainText,
  signal: AbortSignal,
): Promise<string> {
  await removeBuild(engine, id);
  log.addLine(`base ${recipe.base}`);
  const image = await bringBase(engine, config, recipe.base, signal);
  const { limits } = config;
  const labels = labelsFor("build", id);
  const container = await engine.containers.create({ labels, image, command: [...idleCommand], limits });
  try {
    await engine.containers.start(container);
    const { buildMs: ms } = config;
    await held(engine, container, { ms, diskBytes: limits.diskBytes, signal }, async (held) => {
      for (const step of recipe.initialize) await runStep(engine, container, step, log, held);
    });
    return await engine.images.commit(container, builtName(projectId), contentHash, signal);
  } finally {
    await engine.containers.remove(container);
  }
}

/** What a killed worker left of it. */
export async function removeBuild(engine: Engine, id: SandboxImageBuildId): Promise<void> {
  for (const found of await engine.containers.list(labelsFor("build", id))) {
    await engine.containers.remove(found.id);
  }
}

async function runStep(
  engine: Engine,
  container: string,
  { name, run }: Recipe["initialize"][number],
  log: PlainText,
  signal: AbortSignal,
): Promise<void> {
  log.addLine(`step ${name}`);
  const running = await engine.containers.execute(container, ["/bin/sh", "-e", "-c", run], { signal });
  for await (const { bytes } of running.output) log.add(bytes);
  const exitCode = await running.exitCode();
  if (exitCode === 0) return;
  throw new StepFailed(`The step ${name} ended with ${saidCode(exitCode)}.`);
}

/** Engines do not say on every machine that memory was the reason. */
function saidCode(exitCode: number | undefined): string {
  if (exitCode === undefined) return "the container";
  return exitCode === 137 ? "code 137: it was killed, most likely for want of memory" : `code ${exitCode}`;
}
