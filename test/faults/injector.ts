import { type AwsRequest, siteOf } from "./aws-request.ts";
import { type FaultName, faultKinds, faultNames } from "./fault-kinds.ts";
import type { Decide } from "./fault-proxy.ts";
import type { Random } from "./random.ts";

const fitting = (call: AwsRequest): FaultName[] =>
  faultNames.filter((name) => faultKinds[name].fits(call));

/**
 * Injects a fault into every second call of each place in the code, each kind in turn: the retry of a call that
 * was faulted passes.
 */
export const inTurn = (): Decide => {
  const seen = new Map<string, number>();
  let turn = 0;
  return (call) => {
    const kinds = fitting(call);
    const site = siteOf(call);
    const count = seen.get(site) ?? 0;
    seen.set(site, count + 1);
    if (kinds.length === 0 || count % 2 === 1) return undefined;
    turn += 1;
    return kinds[turn % kinds.length];
  };
};

/** Injects a random fault into a share of the calls. */
export const atRandom =
  (random: Random, share: number): Decide =>
  (call) => {
    if (random.next() >= share) return undefined;
    const kinds = fitting(call);
    return kinds.length === 0 ? undefined : random.pick(kinds);
  };
