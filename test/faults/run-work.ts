import { fireSchedules } from "./call-schedules.ts";
import type { Outcome } from "./report.ts";
import type { Scenario, Work } from "./scenario.ts";
import type { World } from "./world.ts";

const describe = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Prepares every scenario for a separate tenant. */
export const prepareAll = (
  world: World,
  scenarios: readonly Scenario[],
): Promise<{ name: string; work: Work }[]> =>
  Promise.all(scenarios.map(async ({ name, prepare }) => ({ name, work: await prepare(world) })));

/** `from`: number of the first unit, default 0. */
type RunOptions = { atOnce: number; from?: number; shouldContinue: (unit: number) => boolean };

/**
 * Does units of a kind of work, a few concurrently, while `shouldContinue` returns true, and checks its
 * invariants.
 */
export const runWork = async (
  { name, work }: { name: string; work: Work },
  { atOnce, shouldContinue, from = 0 }: RunOptions,
): Promise<Outcome> => {
  let units = from;
  const broken: string[] = [];
  const lane = async (): Promise<void> => {
    while (units < (work.mostUnits ?? Infinity) && shouldContinue(units)) {
      const unit = units;
      units += 1;
      await work
        .act(unit)
        .catch((error: unknown) => broken.push(`unit ${unit}: ${describe(error)}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { name, units: units - from, broken };
};

/**
 * Checks the invariants of every kind of work once it was done. When the others have ended, the product's clock is
 * moved, and the work that waited for that is checked.
 */
export const checkAll = async (
  { product }: World,
  works: readonly { work: Work; done: Promise<Outcome> }[],
): Promise<Outcome[]> => {
  const checkedFirst = await Promise.all(
    works.map(async ({ work, done }) =>
      work.waitMs === undefined ? checkWork(work, await done) : done,
    ),
  );
  product.moveClock(Math.max(0, ...works.map(({ work }) => work.waitMs ?? 0)));
  await fireSchedules(product, product.now());
  return Promise.all(
    works.map(async ({ work }, at) => {
      const outcome = checkedFirst[at];
      if (!outcome) throw new Error("work without an outcome");
      return work.waitMs === undefined ? outcome : checkWork(work, outcome);
    }),
  );
};

/** Checks the invariants of work that was done. */
const checkWork = async (work: Work, outcome: Outcome): Promise<Outcome> => {
  const broken = await work.check().catch((error: unknown) => [`check: ${describe(error)}`]);
  return { ...outcome, broken: [...outcome.broken, ...broken] };
};
