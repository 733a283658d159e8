/** @module What a test run took: seconds per package, and the ten slowest files. */
import type { Reporter, TestModule } from "vitest/node";

interface Taken {
  wall: number;
  cpu: number;
  files: number;
}

/** Fewer are read without a table. */
const fewestFiles = 10;

export class SecondsPerPackage implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({ path: module.relativeModuleId, ...takenBy(module) }));
    if (files.length < fewestFiles) return;
    const packages = new Map<string, Taken>();
    for (const { path, wall, cpu } of files) {
      const name = path
        .split("/")
        .slice(0, path.startsWith("packages/") ? 2 : 1)
        .join("/");
      const sum = packages.get(name) ?? { wall: 0, cpu: 0, files: 0 };
      packages.set(name, { wall: sum.wall + wall, cpu: sum.cpu + cpu, files: sum.files + 1 });
    }
    const byWall = [...packages].toSorted(([, a], [, b]) => b.wall - a.wall);
    console.log("\nSeconds per package (of processor in parentheses):");
    for (const [name, { wall, cpu, files }] of byWall) {
      console.log(`${shown(wall, cpu)}  ${name}, ${files} files`);
    }
    console.log("\nThe ten slowest files:");
    for (const { path, wall, cpu } of files.toSorted((a, b) => b.wall - a.wall).slice(0, 10)) {
      console.log(`${shown(wall, cpu)}  ${path}`);
    }
  }
}

function takenBy(module: TestModule): { wall: number; cpu: number } {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } =
    module.diagnostic();
  const wall = prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration;
  return { wall: wall / 1000, cpu: module.meta().processorSeconds ?? 0 };
}

function shown(wall: number, cpu: number): string {
  return `${wall.toFixed(1).padStart(8)} s ${`(${cpu.toFixed(1)})`.padStart(9)}`;
}
