import { createHash } from "node:crypto";
import type { Principal } from "../../platform/auth/principal.ts";
import type { Database } from "../../platform/db/database.ts";
import {
  type ObjectStore,
  type PackedValue,
  packValue,
  unpackValue,
} from "../../platform/db/large-value.ts";
import { idempotencyPrefix } from "../../platform/db/table.ts";
import type { CallContext, Once } from "../../platform/http/call-context.ts";
import { conflict, idempotencyMismatch, stillRunning } from "../../platform/http/problems.ts";
import type { Headers } from "../../platform/http/request.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { isUnavailable } from "../../platform/runtime/aws-retry.ts";
import { log } from "../../platform/runtime/log.ts";
import { countOccurrence } from "../../platform/runtime/metrics.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { HttpResponse, Reply } from "../respond.ts";
import type { Route } from "../route.ts";
import { Ending, replay, toFailureEnding, toResponseEnding } from "./ending.ts";
import { readIdempotencyKey, retentionMs, takesIdempotencyKey } from "./idempotency-key.ts";
import { idempotencyKey } from "./keys.ts";
import { abandonRequest, type Claim, claimRequest, keepEnding, releaseRequest } from "./store.ts";

/** A request that passed every check. `tenantId` is null outside of tenants. */
export type CheckedRequest = {
  headers: Headers;
  body: Uint8Array;
  call: Pick<CallContext, "clock" | "randomBytes" | "startedAt" | "respondBy" | "deadline">;
  principal: Principal;
  tenantId: string | null;
  input: { params: unknown; query: unknown };
};

type Storage = { db: Database; objects: ObjectStore | undefined };

/** The claim of a running request, under which its response is stored; `once` is for the handler. */
export type Claimed = {
  claim: Claim;
  storage: Storage;
  once: Once;
  /** Whether its handler released it. */
  isReleased: () => boolean;
};

/** Time after its deadline when a run is considered crashed; allows for clock skew. */
const leaseMarginMs = 5_000;

/**
 * Claims a request by its `Idempotency-Key`; undefined without the header. The first request costs two storage calls:
 * one to claim it, one to store its response. A repetition costs one and returns the stored response, 409 while the
 * first is running, or 422 for another body.
 *
 * A run that crashes leaves its claim, which expires after the function's timeout. A storage failure before the work
 * fails the request; one after the work does not, and a repetition runs the work again. A response too large for an
 * item is stored in the row's bucket; without a bucket, a repetition gets 409 rather than run the work twice.
 *
 * Powertools' idempotency utility stores the whole response, secrets included, in one item, stores no failure, and
 * writes results without a condition, so that a superseded run overwrites its successor's response.
 */
export const claimOnce = async (
  { db, objects }: Storage,
  { row, request }: { row: Route; request: CheckedRequest },
): Promise<Claimed | { replay: Reply } | undefined> => {
  const clientKey = takesIdempotencyKey(row) ? readIdempotencyKey(request.headers) : undefined;
  if (clientKey === undefined) return undefined;
  const claim = buildClaim(row, request, clientKey);
  const storage = { db, objects: row.access.bucket === "write" ? objects : undefined };
  const met = await claimRequest(db, claim);
  switch (met.type) {
    case "claimed":
      return toClaimed(claim, storage, met.earlier);
    case "running":
      throw stillRunning();
    case "mismatch":
      throw idempotencyMismatch();
    case "done":
      return { replay: replay(await unpackEnding(met.ending, storage)) };
  }
};

const toClaimed = (claim: Claim, storage: Storage, earlier: readonly string[]): Claimed => {
  let isReleased = false;
  const release = (): void => {
    isReleased = true;
  };
  const once = { token: claim.token, earlier, release };
  return { claim, storage, once, isReleased: () => isReleased };
};

const buildClaim = (
  row: Route,
  { call, body, principal, tenantId, input }: CheckedRequest,
  clientKey: string,
): Claim => {
  const { type, organizationId, id } = principal;
  const digest = sha256(
    JSON.stringify([
      [type, organizationId, id],
      [row.method, row.path, tenantId, input.params],
      clientKey,
    ]),
  );
  return {
    key: idempotencyKey(principal, digest),
    token: newUuid(call),
    bodyHash: sha256(JSON.stringify(input.query), body),
    now: call.startedAt,
    leaseUntil: (row.streaming?.onDemand ? call.deadline : call.respondBy) + leaseMarginMs,
    expiresAt: call.startedAt + retentionMs,
  };
};

const sha256 = (...parts: (string | Uint8Array)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");

/** Stores the response of a claimed request, or releases it where its handler did. Never throws. */
export const keepResponse = (
  row: Pick<Route, "operation" | "shownOnce">,
  claimed: Claimed,
  response: HttpResponse,
): Promise<void> =>
  settle(row, claimed, () => (claimed.isReleased() ? undefined : toResponseEnding(row, response)));

/** Stores the failure of an execution that ran, or releases a request that had no effect. Never throws. */
export const keepFailure = (
  row: Pick<Route, "operation">,
  claimed: Claimed,
  error: unknown,
): Promise<void> =>
  isUnavailable(error) ? abandon(row, claimed) : settle(row, claimed, () => toFailureEnding(error));

/** Stores the outcome or releases the request. Never throws: the work is done, and the caller gets its outcome. */
const settle = async (
  { operation }: Pick<Route, "operation">,
  { claim, storage }: Pick<Claimed, "claim" | "storage">,
  makeEnding: () => Ending | undefined,
): Promise<void> => {
  try {
    const ending = makeEnding();
    const outcome = ending
      ? await keepEnding(storage.db, claim, await packEnding(ending, claim, storage))
      : await releaseRequest(storage.db, claim);
    if (outcome === "lost") log("idempotency-claim-lost", { operation });
  } catch (error) {
    countOccurrence("IdempotencyWriteFailed");
    log("idempotency-write-failed", { operation, error: asError(error) });
  }
};

/**
 * Marks a run as crashed after a storage failure, so that the next request with the key finds the resources it
 * created.
 */
const abandon = async (
  { operation }: Pick<Route, "operation">,
  { claim, storage }: Pick<Claimed, "claim" | "storage">,
): Promise<void> => {
  try {
    await abandonRequest(storage.db, claim);
  } catch (error) {
    log("idempotency-release-failed", { operation, error: asError(error) });
  }
};

/** Bucket of a function without one: stores nothing. */
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
      "This request was completed before, and its response was too large to store. Read the resource.",
    );
  }
  return Ending.parse(await unpackValue(ending, objects ?? nowhere));
};
