import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import type { Key } from "../../platform/db/keys.ts";
import { PackedValue } from "../../platform/db/large-value.ts";
import {
  changeWhileHeld,
  type LeaseMembers,
  releaseLease,
  takeLease,
} from "../../platform/db/lease.ts";
import { expectMembers } from "../../platform/db/patch-item.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import { deleteItem, updateItem } from "../../platform/db/write-item.ts";

/** A stored request. Times in Unix milliseconds. */
const IdempotencyItem = z.object({
  state: z.enum(["running", "done"]),
  /** Token of the current run; absent once it is known to have crashed. */
  token: z.string().optional(),
  /** Tokens of all its runs. */
  runs: z.set(z.string()).default(new Set()),
  bodyHash: z.string(),
  /** When an unfinished run is considered crashed. */
  leaseUntil: z.number().optional(),
  /** When the record expires. */
  expiresAt: z.number(),
  /** The outcome; absent while it runs, and when it was too large to store. */
  ending: PackedValue.optional(),
});
type IdempotencyItem = z.output<typeof IdempotencyItem>;

/** A run that claims its request. */
export type Claim = Pick<IdempotencyItem, "bodyHash" | "expiresAt"> & {
  key: Key;
  token: string;
  leaseUntil: number;
  now: number;
};

/** Whether the run may start; if not, the state of the request. */
export type ClaimOutcome =
  /** `earlier`: tokens of crashed runs of the same request, oldest first. */
  | { type: "claimed"; earlier: readonly string[] }
  | { type: "running" }
  | { type: "mismatch" }
  | { type: "done"; ending: PackedValue | undefined };

const leaseMembers = (key: Key): LeaseMembers => ({ key, holder: "token", until: "leaseUntil" });

/**
 * IDEM#principal#digest / IDEM: claims a request that is new, expired, or crashed. One call, two
 * for an expired request. The item has the tokens of all runs, since any of them may have created
 * resources.
 */
export const claimRequest = async (db: Database, claim: Claim): Promise<ClaimOutcome> => {
  const { key, now, token, bodyHash, leaseUntil, expiresAt } = claim;
  const lease = takeLease(leaseMembers(key), { holder: token, until: leaseUntil }, now, {
    set: {
      state: "running",
      bodyHash,
      expiresAt,
      [tableAttributes.timeToLive]: Math.ceil(expiresAt / 1_000),
    },
    add: { runs: new Set([token]) },
    where: {
      expression:
        "attribute_not_exists(#pk) OR (#expiresAt > :now AND #state = :running AND #bodyHash = :sameBody)",
      values: { ":running": "running", ":sameBody": bodyHash },
    },
  });
  const { written, item: found } = await updateItem(db, { ...lease, ReturnValues: "ALL_NEW" });
  const item = IdempotencyItem.parse(found);
  if (written) return claimedBy(token, item);
  if (item.expiresAt > now) return readStanding(item, claim);
  await deleteExpired(db, key, item);
  return claimRequest(db, claim);
};

const claimedBy = (token: string, { runs }: IdempotencyItem): ClaimOutcome => ({
  type: "claimed",
  earlier: [...runs].filter((run) => run !== token).toSorted(),
});

const readStanding = (
  item: IdempotencyItem,
  { token, bodyHash }: Pick<Claim, "token" | "bodyHash">,
): ClaimOutcome => {
  // The SDK retries a write after a lost response, and then finds its own claim.
  if (item.token === token) return claimedBy(token, item);
  if (item.bodyHash !== bodyHash) return { type: "mismatch" };
  return item.state === "running" ? { type: "running" } : { type: "done", ending: item.ending };
};

const deleteExpired = async (
  db: Database,
  key: Key,
  { token, expiresAt }: IdempotencyItem,
): Promise<void> => {
  await deleteItem(db, expectMembers(key, { token, expiresAt }));
};

/** Stores the outcome of a run; "lost" when another run has claimed the request. */
export const keepEnding = async (
  db: Database,
  { key, token }: Pick<Claim, "key" | "token">,
  ending: PackedValue | undefined,
): Promise<"written" | "lost"> => {
  const change = { set: { state: "done", ending } };
  return toClaimOutcome(await updateItem(db, changeWhileHeld(leaseMembers(key), token, change)));
};

/** Deletes a request after a run without effect; "lost" when another run has claimed it. */
export const releaseRequest = async (
  db: Database,
  { key, token }: Pick<Claim, "key" | "token">,
): Promise<"written" | "lost"> =>
  toClaimOutcome(await deleteItem(db, expectMembers(key, { state: "running", token })));

/**
 * Marks a run as crashed, so that the request can be retried immediately and finds what the run
 * created.
 */
export const abandonRequest = async (
  db: Database,
  { key, token }: Pick<Claim, "key" | "token">,
): Promise<"written" | "lost"> => {
  const release = releaseLease(
    leaseMembers(key),
    { holder: token },
    { expect: { state: "running" } },
  );
  return toClaimOutcome(await updateItem(db, release));
};

const toClaimOutcome = ({ written }: { written: boolean }) => (written ? "written" : "lost");
