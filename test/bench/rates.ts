import type { CollaboratorStack } from "./collaborator.ts";
import { type Count, countUnit, divideCount, medianCount } from "./count-unit.ts";
import { pushAtRate } from "./github-pushes.ts";
import { createWebhook } from "./objects.ts";
import type { ProcessorTime } from "./processor-time.ts";
import { onPush } from "./units.ts";

/** Rates of deliveries, and as many of them as show their batches. */
const rates = [
  { perSecond: 1, count: 10 },
  { perSecond: 10, count: 100 },
  { perSecond: 100, count: 1_000 },
] as const;

const [warmups, samples] = [1, 3];

/**
 * Counts what a delivery to one agent consumes, to the end of its execution, by the rate of deliveries: the faster they come,
 * the more of them a function takes in a call.
 */
export const countRates = async (
  stack: CollaboratorStack,
  processor: ProcessorTime,
): Promise<Record<string, Count>> => {
  await stack.deployAgent("at-rate", onPush);
  const { inbound } = await createWebhook(stack, "github", { agentId: "at-rate", count: 1 });
  const counted: Record<string, Count> = {};
  for (const { perSecond, count } of rates) {
    const unit = {
      name: `${perSecond} per second`,
      work: () => pushAtRate(stack, inbound, { perSecond, count }),
    };
    const { counts } = await countUnit(stack, unit, { warmups, samples }, processor);
    counted[perSecond] = divideCount(medianCount(counts), count);
  }
  return counted;
};
