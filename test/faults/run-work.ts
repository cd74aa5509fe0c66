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
    while (shouldContinue(units)) {
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

/** Checks the invariants of work that was done. */
export const checkWork = async (work: Work, outcome: Outcome): Promise<Outcome> => {
  const broken = await work.check().catch((error: unknown) => [`check: ${describe(error)}`]);
  return { ...outcome, broken: [...outcome.broken, ...broken] };
};
