import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that wait for a product of their own for minutes, with little work, the longest first. They start before all others,
 * which fill the time; by the order of the projects they would run together and leave the processor idle.
 */
const waiting = ["test/faults/each-fault.test.ts", "test/bench/budgets.test.ts"];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = waiting.findIndex((file) => moduleId.endsWith(`/${file}`));
  return at === -1 ? waiting.length : at;
};

/** Runs files that wait long before all others, which keep vitest's order: by project, in each the largest first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((left, right) => rank(left) - rank(right));
  }
}
