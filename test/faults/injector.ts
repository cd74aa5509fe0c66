import { type AwsRequest, describeCallSite } from "../harness/aws-request.ts";
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

/** Injects every kind of fault once at every place in the code that calls AWS. */
export type FaultPlan = {
  decide: Decide;
  /** Places seen so far, and the faults that they have not had yet. */
  places: ReadonlyMap<string, readonly FaultName[]>;
};

/** Faults of one call: its retries get the next ones, and then pass. */
const burst = 3;

/**
 * Plans the faults of each place: first a throttle and a lost response, then the other kinds, three in a row, so that
 * few runs have them all.
 */
export const everyKindOnce = (
  kinds: readonly FaultName[] = faultNames.filter((name) => name !== "delayed"),
): FaultPlan => {
  const places = new Map<string, FaultName[]>();
  const inARow = new Map<string, number>();
  return {
    places,
    decide: (call) => {
      const place = describeCallSite(call);
      const left =
        places.get(place) ?? inOrder(fitting(call).filter((name) => kinds.includes(name)));
      places.set(place, left);
      const injected = inARow.get(place) ?? 0;
      const fault = injected < burst ? left.shift() : undefined;
      inARow.set(place, fault ? injected + 1 : 0);
      return fault;
    },
  };
};

const first: readonly FaultName[] = [
  "ThrottlingException",
  "500 after the call",
  "S3 503 SlowDown",
];

const inOrder = (names: readonly FaultName[]): FaultName[] => [
  ...first.filter((name) => names.includes(name)),
  ...names.filter((name) => !first.includes(name)),
];
