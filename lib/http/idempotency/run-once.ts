import { createHash } from "node:crypto";
import type { Principal } from "../../auth/principal.ts";
import type { Database } from "../../db/database.ts";
import { idempotencyKey } from "../../db/keys.ts";
import {
  type ObjectStore,
  type PackedValue,
  packValue,
  unpackValue,
} from "../../db/large-value.ts";
import { idempotencyPrefix } from "../../db/table.ts";
import { asError } from "../../runtime/as-error.ts";
import { log } from "../../runtime/log.ts";
import { countOccurrence } from "../../runtime/metrics.ts";
import { newUuid } from "../../runtime/runtime.ts";
import type { Call } from "../answer-call.ts";
import { conflict, idempotencyMismatch, stillRunning } from "../problems.ts";
import { bodyOf } from "../request.ts";
import { Reply, toAnswer } from "../respond.ts";
import type { Route } from "../route.ts";
import { Ending, endingOfAnswer, endingOfFailure, replay } from "./ending.ts";
import { readIdempotencyKey, rememberedMs, takesIdempotencyKey } from "./idempotency-key.ts";
import { type Claim, claimRequest, keepEnding, releaseRequest } from "./store.ts";

/** A request that passed every check. `tenantId` is null outside of tenants. */
export type CheckedRequest = {
  call: Pick<Call, "event" | "headers" | "context" | "note">;
  principal: Principal;
  tenantId: string | null;
  input: { params: unknown; query: unknown };
};

/**
 * What a run knows of its request: a version 7 uuid of its own, and that of an earlier run that died. Work
 * that makes something under the first can find, under the second, what was made before.
 */
export type Once = { token: string; died: string | undefined };

type Storage = { db: Database; objects: ObjectStore | undefined };

/** How long after its answer's time a run is taken for dead: clocks differ. */
const leaseMarginMs = 5_000;

/**
 * Does the work of a request once, however often the request is sent with its `Idempotency-Key`. The first
 * one costs two storage calls, to claim it and to keep how it ended; any other costs one and does nothing:
 * it gets the first one's answer, 409 while that runs, or 422 when its body is another.
 *
 * A run that dies leaves its claim behind; the request can be made again when the function's time is over.
 * When the storage fails before the work, nothing is done; when it fails after it, the answer is given all
 * the same and a later request does the work again. An answer too large for an item goes to the row's
 * bucket. Where there is none it is not kept, and asking again is 409: better than doing the work twice.
 *
 * Powertools' idempotency utility would keep the whole response, secrets included, in one item, forget
 * every failure, and write results without a condition, so that a run whose claim was taken over
 * overwrites its successor's.
 */
export const runOnce = async (
  row: Route,
  request: CheckedRequest,
  { db, objects }: Storage,
  work: (once?: Once) => Promise<unknown>,
): Promise<unknown> => {
  const clientKey = takesIdempotencyKey(row) ? readIdempotencyKey(request.call.headers) : undefined;
  if (clientKey === undefined) return work();
  const claim = claimOf(row, request, clientKey);
  const storage = { db, objects: row.access.bucket === "write" ? objects : undefined };
  const met = await claimRequest(db, claim);
  switch (met.type) {
    case "claimed":
      return runClaimed(row, claim, storage, () => work({ token: claim.token, died: met.died }));
    case "running":
      throw stillRunning();
    case "mismatch":
      throw idempotencyMismatch();
    case "done":
      request.call.note({ idempotency: "replayed" });
      return replay(await unpackEnding(met.ending, storage));
  }
};

const claimOf = (
  row: Route,
  { call, principal, tenantId, input }: CheckedRequest,
  clientKey: string,
): Claim => {
  const { type, organizationId, id } = principal;
  const { context } = call;
  const digest = sha256(
    JSON.stringify([
      [type, organizationId, id],
      [row.method, row.path, tenantId, input.params],
      clientKey,
    ]),
  );
  return {
    key: idempotencyKey(principal, digest),
    token: newUuid(context),
    bodyHash: sha256(JSON.stringify(input.query), bodyOf(call.event)),
    now: context.startedAt,
    leaseUntil: context.answerBy + leaseMarginMs,
    expiresAt: context.startedAt + rememberedMs,
  };
};

const sha256 = (...parts: (string | Uint8Array)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");

const runClaimed = async (
  row: Route,
  claim: Claim,
  storage: Storage,
  work: () => Promise<unknown>,
): Promise<Reply> => {
  try {
    const answer = toAnswer(row, await work());
    await settle(row, claim, storage, () => endingOfAnswer(row, answer));
    return new Reply(answer.body, answer.headers, answer.status);
  } catch (error) {
    await settle(row, claim, storage, () => endingOfFailure(error));
    throw error;
  }
};

/** Keeps or forgets; never fails, since the work is done and its caller has to hear how it ended. */
const settle = async (
  row: Route,
  claim: Claim,
  storage: Storage,
  makeEnding: () => Ending | undefined,
): Promise<void> => {
  try {
    const ending = makeEnding();
    const outcome = ending
      ? await keepEnding(storage.db, claim, await packEnding(ending, claim, storage))
      : await releaseRequest(storage.db, claim);
    if (outcome === "lost") log().warn(`${row.operation} was taken over before it ended`);
  } catch (error) {
    countOccurrence("AnswerNotRemembered");
    log().error(`${row.operation} could not be remembered`, {
      error: asError(error),
    });
  }
};

/** Stands in for the bucket where a function has none: nothing is kept there, so nothing is found. */
const nowhere: ObjectStore = {
  put: async () => undefined,
  get: async (key) => {
    throw new Error(`there is no bucket for ${key}`);
  },
  remove: async () => undefined,
};

const packEnding = async (
  ending: Ending,
  { token }: Claim,
  { objects }: Storage,
): Promise<PackedValue | undefined> => {
  const packed = await packValue(ending, `${idempotencyPrefix}/${token}`, objects ?? nowhere);
  return objects === undefined && "object" in packed ? undefined : packed;
};

const unpackEnding = async (
  ending: PackedValue | undefined,
  { objects }: Storage,
): Promise<Ending> => {
  if (!ending) {
    throw conflict(
      "This request was done before, and its answer was too large to be kept. Read the resource.",
    );
  }
  return Ending.parse(await unpackValue(ending, objects ?? nowhere));
};
