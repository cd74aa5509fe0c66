import type { InboundAnswer, InboundRequest } from "../../platform/http/inbound.ts";

/** Event type and id of a delivery. */
export type DeliveryFacts = {
  /** At most 256 characters; null where the provider tells none, or a header tells another than the body. */
  readonly eventType: string | null;
  /**
   * The same when the provider sends the delivery again: its own id, or a hash of what does not change. At
   * most 200 printable characters; null where every delivery counts as a new one.
   */
  readonly deliveryId: string | null;
};

/** How a provider signs. */
export type Signing = {
  /** Who creates the secret: this service, or the provider. */
  readonly issuedBy: "wharf" | "provider";
  /** Generates a secret in the provider's format; undefined where only the provider can create one. */
  generate?(randomBytes: (count: number) => Uint8Array): string;
  /** Returns the problem of a given secret, if any. */
  checkSecret(secret: string): string | undefined;
  /** Returns whether a request has a signature, valid or not. */
  isSigned(request: InboundRequest): boolean;
  /** Verifies the signature in constant time, and its age. `now` in Unix milliseconds. */
  verify(request: InboundRequest, secret: string, now: number): boolean;
};

/** Response to a provider's URL verification. */
export type Handshake = {
  readonly answer: InboundAnswer;
  /** The secret that the provider created, and why the user must see it once. */
  readonly learns?: { readonly secret: string; readonly showBecause: string };
};

/** A webhook provider: data and pure functions that never throw. Payloads are the result of `parsePayload`. */
export type WebhookProvider = {
  readonly id: string;
  readonly displayName: string;
  /** Default authentication of deliveries: the key in the path, or the signature. */
  readonly authMode: "API_KEY" | "HMAC";
  readonly signing: Signing;
  /**
   * Answers a request that is no delivery but the provider's check of the address; undefined for a
   * delivery. `secret` is null when none is set. A signature that is there was verified before; whether
   * there must be one, the provider decides here.
   */
  handshake?(
    request: InboundRequest,
    payload: unknown,
    secret: string | null,
  ): Handshake | undefined;
  /** Event type and delivery id of a delivery, of the signed body rather than of a header where both tell. */
  describe(request: InboundRequest, payload: unknown): DeliveryFacts;
  /** What a delivery is answered, where 204 does not do. */
  acknowledge?(request: InboundRequest, payload: unknown): InboundAnswer;
  /** Lower-case names of headers with credentials or signatures, hidden from subscribers. */
  readonly secretHeaders: readonly string[];
};
