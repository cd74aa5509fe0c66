import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import type { Key } from "../../platform/db/keys.ts";
import { PackedValue } from "../../platform/db/large-value.ts";
import { patch } from "../../platform/db/patch-item.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import { deleteItem, updateItem } from "../../platform/db/write-item.ts";

/** A remembered request. Times in Unix milliseconds. */
const RememberedItem = z.object({
  state: z.enum(["running", "done"]),
  /** Whose run it is. */
  token: z.string(),
  /** Tokens of all its runs. */
  runs: z.set(z.string()).default(new Set()),
  bodyHash: z.string(),
  /** When a run that has not ended by then is taken for dead. */
  leaseUntil: z.number(),
  /** When the request is forgotten. */
  expiresAt: z.number(),
  /** How it ended; absent while it runs, and when that was too large to keep. */
  ending: PackedValue.optional(),
});
type RememberedItem = z.output<typeof RememberedItem>;

/** A run that wants to be the only one of its request. */
export type Claim = Pick<RememberedItem, "token" | "bodyHash" | "leaseUntil" | "expiresAt"> & {
  key: Key;
  now: number;
};

/** Whether the run may begin; if not, what the request met. */
export type ClaimOutcome =
  /** `earlier`: tokens of runs of the same request that died, the first one first. */
  | { type: "claimed"; earlier: readonly string[] }
  | { type: "running" }
  | { type: "mismatch" }
  | { type: "done"; ending: PackedValue | undefined };

const names = { "#state": "state", "#token": "token" };

/**
 * IDEM#principal#digest / IDEM: was this request made before? If not, or if it was forgotten, or if its
 * run died, it is the caller's from now on. One call, two for a request that was forgotten. The item keeps the
 * tokens of all runs, since each may have made something.
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
  const item = RememberedItem.parse(found);
  if (written) return claimedBy(token, item);
  if (item.expiresAt > now) return readStanding(item, claim);
  await forgetRequest(db, key, item.token);
  return claimRequest(db, claim);
};

const claimedBy = (token: string, { runs }: RememberedItem): ClaimOutcome => ({
  type: "claimed",
  earlier: [...runs].filter((run) => run !== token).toSorted(),
});

const readStanding = (
  item: RememberedItem,
  { token, bodyHash }: Pick<Claim, "token" | "bodyHash">,
): ClaimOutcome => {
  // The client sends a write again when its answer was lost: then it meets itself.
  if (item.token === token) return claimedBy(token, item);
  if (item.bodyHash !== bodyHash) return { type: "mismatch" };
  return item.state === "running" ? { type: "running" } : { type: "done", ending: item.ending };
};

const forgetRequest = async (db: Database, key: Key, token: string): Promise<void> => {
  await deleteItem(db, {
    Key: key,
    ConditionExpression: "#token = :token",
    ExpressionAttributeNames: { "#token": names["#token"] },
    ExpressionAttributeValues: { ":token": token },
  });
};

/** Keeps how a run ended; "lost" when the request is no longer that run's. */
export const keepEnding = async (
  db: Database,
  { key, token }: Pick<Claim, "key" | "token">,
  ending: PackedValue | undefined,
): Promise<"written" | "lost"> => {
  const change = { set: { state: "done", ending }, expect: { token } };
  return outcomeOf(await updateItem(db, patch(key, change)));
};

/** Forgets a request whose run came to nothing; "lost" when it is no longer that run's. */
export const releaseRequest = async (
  db: Database,
  { key, token }: Pick<Claim, "key" | "token">,
): Promise<"written" | "lost"> =>
  outcomeOf(
    await deleteItem(db, {
      Key: key,
      ConditionExpression: "#state = :running AND #token = :token",
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ":running": "running", ":token": token },
    }),
  );

/** Says that a run died, so that the same request may be made again at once and finds what the run made. */
export const abandonRequest = async (
  db: Database,
  { key, token }: Pick<Claim, "key" | "token">,
): Promise<"written" | "lost"> => {
  const change = { set: { leaseUntil: 0 }, expect: { state: "running", token } };
  return outcomeOf(await updateItem(db, patch(key, change)));
};

const outcomeOf = ({ written }: { written: boolean }) => (written ? "written" : "lost");
