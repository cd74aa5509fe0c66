import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import type { Key } from "../../platform/db/keys.ts";
import { PackedValue } from "../../platform/db/large-value.ts";

/** A remembered request. Times in Unix milliseconds. */
const RememberedItem = z.object({
  state: z.enum(["running", "done"]),
  /** Whose run it is. */
  token: z.string(),
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
  /** `died`: token of a run of the same request that died. */
  | { type: "claimed"; died: string | undefined }
  | { type: "running" }
  | { type: "mismatch" }
  | { type: "done"; ending: PackedValue | undefined };

const names = { "#state": "state", "#token": "token" };

/**
 * IDEM#principal#digest / IDEM: was this request made before? If not, or if it was forgotten, or if its
 * run died, it is the caller's from now on. One call in every case.
 */
export const claimRequest = async (
  db: Database,
  { key, now, ...claim }: Claim,
): Promise<ClaimOutcome> => {
  const ttl = Math.ceil(claim.expiresAt / 1_000);
  try {
    const { Attributes } = await db.client.send(
      new PutCommand({
        TableName: db.table,
        Item: { ...key, ...claim, state: "running", ttl },
        ReturnValues: "ALL_OLD",
        ConditionExpression:
          "attribute_not_exists(pk) OR expiresAt <= :now" +
          " OR (#state = :running AND leaseUntil <= :now AND bodyHash = :bodyHash)",
        ExpressionAttributeNames: { "#state": names["#state"] },
        ExpressionAttributeValues: {
          ":now": now,
          ":running": "running",
          ":bodyHash": claim.bodyHash,
        },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    const earlier = Attributes && RememberedItem.parse(Attributes);
    return {
      type: "claimed",
      died: earlier && earlier.expiresAt > now ? earlier.token : undefined,
    };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error;
    return readStanding(RememberedItem.parse(unmarshall(error.Item)), claim);
  }
};

const readStanding = (
  { state, token, bodyHash, ending }: RememberedItem,
  claim: Pick<Claim, "token" | "bodyHash">,
): ClaimOutcome => {
  // The client sends a write again when its answer was lost: then it meets itself.
  if (token === claim.token) return { type: "claimed", died: undefined };
  if (bodyHash !== claim.bodyHash) return { type: "mismatch" };
  return state === "running" ? { type: "running" } : { type: "done", ending };
};

/** Keeps how a run ended; "lost" when the request is no longer that run's. */
export const keepEnding = (
  db: Database,
  { key, token }: Pick<Claim, "key" | "token">,
  ending: PackedValue | undefined,
): Promise<"written" | "lost"> =>
  unlessLost(() =>
    db.client.send(
      new UpdateCommand({
        TableName: db.table,
        Key: key,
        UpdateExpression: `SET #state = :done${ending ? ", ending = :ending" : ""}`,
        ConditionExpression: "#token = :token",
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: {
          ":done": "done",
          ":token": token,
          ...(ending && { ":ending": ending }),
        },
      }),
    ),
  );

/** Forgets a request whose run came to nothing; "lost" when it is no longer that run's. */
export const releaseRequest = (
  db: Database,
  { key, token }: Pick<Claim, "key" | "token">,
): Promise<"written" | "lost"> =>
  unlessLost(() =>
    db.client.send(
      new DeleteCommand({
        TableName: db.table,
        Key: key,
        ConditionExpression: "#state = :running AND #token = :token",
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ":running": "running", ":token": token },
      }),
    ),
  );

/** Says that a run died, so that the same request may be made again at once and finds what the run made. */
export const abandonRequest = (
  db: Database,
  { key, token }: Pick<Claim, "key" | "token">,
): Promise<"written" | "lost"> =>
  unlessLost(() =>
    db.client.send(
      new UpdateCommand({
        TableName: db.table,
        Key: key,
        UpdateExpression: "SET leaseUntil = :never",
        ConditionExpression: "#state = :running AND #token = :token",
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ":never": 0, ":running": "running", ":token": token },
      }),
    ),
  );

const unlessLost = async (write: () => Promise<unknown>): Promise<"written" | "lost"> => {
  try {
    await write();
    return "written";
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return "lost";
    throw error;
  }
};
