import type { KeyAuthDeps } from "../platform/auth/authenticate.ts";
import type { ObjectStore } from "../platform/db/large-value.ts";
import type { Sealer } from "../platform/db/seal.ts";
import type { InboundAnswer, InboundRequest } from "../platform/http/inbound.ts";
import type { RateLimit } from "../platform/http/rate-limit.ts";
import type { Send } from "../platform/queue/send.ts";
import type { Runtime } from "../platform/runtime/runtime.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";

/** Dependencies of receiving what providers send. */
export type InboundDeps = KeyAuthDeps & {
  objects: ObjectStore;
  sealer: Sealer;
  send: Send;
};

/** A request to an inbound address of a tenant that exists; the key in its path, if any, was admitted. */
export type Arrival = {
  tenant: TenantOwner;
  provider: string;
  /** Of the webhook or the connector. */
  id: string;
  /** False at a signed address, where nothing but the signature says who sends. */
  hasKey: boolean;
  request: InboundRequest;
  /** The caller's address. */
  address: string;
  runtime: Runtime;
};

/** The response to an arrival, and the window in which it was counted, if that is not its key's. */
export type Accepted = { answer: InboundAnswer; rateLimit?: RateLimit | undefined };

/** Receives an arrival at its address: finds the address, verifies the sender, and only then reads the body. */
export type Accept = (deps: InboundDeps, arrival: Arrival) => Promise<Accepted>;
