import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import type { Key } from "../../platform/db/keys.ts";
import { PackedValue } from "../../platform/db/large-value.ts";
import { patch } from "../../platform/db/patch-item.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import { deleteItem, updateItem } from "../../platform/db/write-item.ts";

/** A stored request. Times in Unix milliseconds. */
const IdempotencyItem = z.object({
  state: z.enum(["running", "done"]),
  /** Token of the current run. */
  token: z.string(),
  /** Tokens of all its runs. */
  runs: z.set(z.string()).default(new Set()),
  bodyHash: z.string(),
  /** When an unfinished run is considered crashed. */
  leaseUntil: z.number(),
  /** When the record expires. */
  expiresAt: z.number(),
  /** The outcome; absent while it runs, and when it was too large to store. */
  ending: PackedValue.optional(),
});
type IdempotencyItem = z.output<typeof IdempotencyItem>;

/** A run that claims its request. */
export type Claim = Pick<IdempotencyItem, "token" | "bodyHash" | "leaseUntil" | "expiresAt"> & {
  key: Key;
  now: number;
};

/** Whether the run may start; if not, the state of the request. */
export type ClaimOutcome =
  /** `earlier`: tokens of crashed runs of the same request, oldest first. */
  | { type: "claimed"; earlier: readonly string[] }
  | { type: "running" }
  | { type: "mismatch" }
  | { type: "done"; ending: PackedValue | undefined };

const names = { "#state": "state", "#token": "token" };

/**
 * IDEM#principal#digest / IDEM: claims a request that is new, expired, or whose run crashed. One call, two for an
 * expired request. The item has the tokens of all runs, since each may have created resources.
 */
export const claimRequest = async (db: Database, claim: Claim): Promise<ClaimOutcome> => {
  const { key, now, token, bodyHash, leaseUntil, expiresAt } = claim;
  const { written, item: found } = await updateItem(db, {
    Key: key,
    UpdateExpression:
      "SET #token = :token, bodyHash = :bodyHash, leaseUntil = :leaseUntil," +
      " expiresAt = :expiresAt, #state = :running, #ttl = :ttl ADD runs :runs",
    ConditionExpression:
      "attribute_not_exists(pk) OR (expiresAt > :now" +
      " AND #state = :running AND leaseUntil <= :now AND bodyHash = :bodyHash)",
    ExpressionAttributeNames: { ...names, "#ttl": tableAttributes.timeToLive },
    ExpressionAttributeValues: {
      ":now": now,
      ":running": "running",
      ":token": token,
      ":bodyHash": bodyHash,
      ":leaseUntil": leaseUntil,
      ":expiresAt": expiresAt,
      ":ttl": Math.ceil(expiresAt / 1_000),
      ":runs": new Set([token]),
    },
    ReturnValues: "ALL_NEW",
  });
  const item = IdempotencyItem.parse(found);
  if (written) return claimedBy(token, item);
  if (item.expiresAt > now) return readStanding(item, claim);
  await deleteExpired(db, key, item.token);
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
  // The SDK retries a write whose response was lost, and finds its own claim.
  if (item.token === token) return claimedBy(token, item);
  if (item.bodyHash !== bodyHash) return { type: "mismatch" };
  return item.state === "running" ? { type: "running" } : { type: "done", ending: item.ending };
};

const deleteExpired = async (db: Database, key: Key, token: string): Promise<void> => {
  await deleteItem(db, {
    Key: key,
    ConditionExpression: "#token = :token",
    ExpressionAttributeNames: { "#token": names["#token"] },
    ExpressionAttributeValues: { ":token": token },
  });
};

/** Stores the outcome of a run; "lost" when another run has claimed the request. */
export const keepEnding = async (
  db: Database,
  { key, token }: Pick<Claim, "key" | "token">,
  ending: PackedValue | undefined,
): Promise<"written" | "lost"> => {
  const change = { set: { state: "done", ending }, expect: { token } };
  return toClaimOutcome(await updateItem(db, patch(key, change)));
};

/** Deletes a request whose run had no effect; "lost" when another run has claimed it. */
export const releaseRequest = async (
  db: Database,
  { key, token }: Pick<Claim, "key" | "token">,
): Promise<"written" | "lost"> =>
  toClaimOutcome(
    await deleteItem(db, {
      Key: key,
      ConditionExpression: "#state = :running AND #token = :token",
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ":running": "running", ":token": token },
    }),
  );

/** Marks a run as crashed, so that the request can be retried at once and finds what the run created. */
export const abandonRequest = async (
  db: Database,
  { key, token }: Pick<Claim, "key" | "token">,
): Promise<"written" | "lost"> => {
  const change = { set: { leaseUntil: 0 }, expect: { state: "running", token } };
  return toClaimOutcome(await updateItem(db, patch(key, change)));
};

const toClaimOutcome = ({ written }: { written: boolean }) => (written ? "written" : "lost");
