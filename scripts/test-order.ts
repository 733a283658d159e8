/** @module In which order test files run: those that keep the cores busy beside those that mostly wait, long ones first. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Browser files are the busy ones; this many others start for each of them. */
const othersForEachBusy = 4;

export class MixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longestFirst = await super.sort(files);
    const isBusy = ({ moduleId }: TestSpecification) => moduleId.endsWith(".browser.test.ts");
    const busy = longestFirst.filter(isBusy);
    const others = longestFirst.filter((file) => !isBusy(file));
    const mixed: TestSpecification[] = [];
    while (busy.length > 0 || others.length > 0) {
      mixed.push(...busy.splice(0, 1), ...others.splice(0, othersForEachBusy));
    }
    return mixed;
  }
}
