import type { AwsRequest } from "./aws-request.ts";
import { type FaultName, faultKinds, faultNames } from "./fault-kinds.ts";
import type { Decide } from "./fault-proxy.ts";
import type { Random } from "./random.ts";

const fitting = (call: AwsRequest): FaultName[] =>
  faultNames.filter((name) => faultKinds[name].fits(call));

/** Injects a random fault into a share of the calls. */
export const atRandom =
  (random: Random, share: number): Decide =>
  (call) => {
    if (random.next() >= share) return undefined;
    const kinds = fitting(call);
    return kinds.length === 0 ? undefined : random.pick(kinds);
  };
