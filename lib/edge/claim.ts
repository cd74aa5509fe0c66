import { createHash } from "node:crypto";
import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import {
  type ObjectStore,
  type PackedValue,
  packValue,
  unpackValue,
} from "../platform/db/large-value.ts";
import { idempotencyPrefix } from "../platform/db/table.ts";
import type { CallContext, Once } from "../platform/http/call-context.ts";
import { conflict, idempotencyMismatch, stillRunning } from "../platform/http/problems.ts";
import type { Headers } from "../platform/http/request.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { isUnavailable } from "../platform/runtime/aws-retry.ts";
import { log } from "../platform/runtime/log.ts";
import { countOccurrence } from "../platform/runtime/metrics.ts";
import { newUuid } from "../platform/runtime/runtime.ts";
import { Ending, endingOfFailure, endingOfResponse, replay } from "./idempotency/ending.ts";
import {
  readIdempotencyKey,
  rememberedMs,
  takesIdempotencyKey,
} from "./idempotency/idempotency-key.ts";
import { idempotencyKey } from "./idempotency/keys.ts";
import {
  abandonRequest,
  type Claim,
  claimRequest,
  keepEnding,
  releaseRequest,
} from "./idempotency/store.ts";
import type { HttpResponse, Reply } from "./respond.ts";
import type { Route } from "./route.ts";

/** A request that passed every check. `tenantId` is null outside of tenants. */
export type CheckedRequest = {
  headers: Headers;
  body: Uint8Array;
  call: Pick<CallContext, "clock" | "randomBytes" | "startedAt" | "respondBy">;
  principal: Principal;
  tenantId: string | null;
  input: { params: unknown; query: unknown };
};

type Storage = { db: Database; objects: ObjectStore | undefined };

/** The claim of a running request, by which its response is kept; `once` is for the work itself. */
export type Claimed = { claim: Claim; storage: Storage; once: Once };

/** How long after its answer's time a run is taken for dead: clocks differ. */
const leaseMarginMs = 5_000;

/**
 * Claims a request by its `Idempotency-Key`. The first one costs two storage calls, to claim it and to keep its
 * response; any other costs one and does nothing: it gets the first one's response, 409 while that runs, or 422 when
 * its body is another. Undefined without the header.
 *
 * A run that dies leaves its claim behind; the request can be made again when the function's time is over.
 * When the storage fails before the work, nothing is done; when it fails after it, the response is given all
 * the same and a later request does the work again. A response too large for an item goes to the row's
 * bucket. Where there is none it is not kept, and asking again is 409: better than doing the work twice.
 *
 * Powertools' idempotency utility would keep the whole response, secrets included, in one item, forget
 * every failure, and write results without a condition, so that a run whose claim was taken over
 * overwrites its successor's.
 */
export const claimOnce = async (
  row: Route,
  request: CheckedRequest,
  { db, objects }: Storage,
): Promise<Claimed | { replay: Reply } | undefined> => {
  const clientKey = takesIdempotencyKey(row) ? readIdempotencyKey(request.headers) : undefined;
  if (clientKey === undefined) return undefined;
  const claim = claimOf(row, request, clientKey);
  const storage = { db, objects: row.access.bucket === "write" ? objects : undefined };
  const met = await claimRequest(db, claim);
  switch (met.type) {
    case "claimed":
      return { claim, storage, once: { token: claim.token, earlier: met.earlier } };
    case "running":
      throw stillRunning();
    case "mismatch":
      throw idempotencyMismatch();
    case "done":
      return { replay: replay(await unpackEnding(met.ending, storage)) };
  }
};

const claimOf = (
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
    leaseUntil: call.respondBy + leaseMarginMs,
    expiresAt: call.startedAt + rememberedMs,
  };
};

const sha256 = (...parts: (string | Uint8Array)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");

/** Keeps the response of a claimed request. Never fails. */
export const keepResponse = (
  row: Pick<Route, "operation" | "shownOnce">,
  claimed: Claimed,
  answer: HttpResponse,
): Promise<void> => settle(row, claimed, () => endingOfResponse(row, answer));

/** Keeps the failure of an execution that ran, or forgets a request whose work came to nothing. Never fails. */
export const keepFailure = (
  row: Pick<Route, "operation">,
  claimed: Claimed,
  error: unknown,
): Promise<void> =>
  isUnavailable(error) ? abandon(row, claimed) : settle(row, claimed, () => endingOfFailure(error));

/** Keeps or forgets; never fails, since the work is done and its caller has to hear how it ended. */
const settle = async (
  row: Pick<Route, "operation">,
  { claim, storage }: Pick<Claimed, "claim" | "storage">,
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

/**
 * After a failure of the storage nobody knows how far the work came: the next request with the key is told that
 * this run died, so that it finds what was made.
 */
const abandon = async (
  row: Pick<Route, "operation">,
  { claim, storage }: Pick<Claimed, "claim" | "storage">,
): Promise<void> => {
  try {
    await abandonRequest(storage.db, claim);
  } catch (error) {
    log().error(`${row.operation} could not be abandoned`, { error: asError(error) });
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
