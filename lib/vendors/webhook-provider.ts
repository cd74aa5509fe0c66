import type { InboundRequest, InboundResponse } from "../platform/http/inbound.ts";

/** Event type and id of a delivery. */
export type DeliveryFacts = {
  /** At most 256 characters; null if the provider sends none, or its header contradicts the body. */
  readonly eventType: string | null;
  /**
   * Equal for redeliveries: the provider's id, or a hash of the stable content. At most 200 printable characters;
   * null if deliveries are not deduplicated.
   */
  readonly deliveryId: string | null;
};

/** The signature scheme of a provider. */
export type Signing = {
  /** The party that creates the secret. */
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

/** Response to a provider's URL verification, or why it is refused. */
export type Handshake =
  | {
      readonly response: InboundResponse;
      /** The secret that the provider created, and why the user must see it once. */
      readonly learns?: { readonly secret: string; readonly showBecause: string };
    }
  | { readonly refused: string; readonly response?: undefined };

/** A webhook provider: data and pure functions that never throw. Payloads are the result of `parsePayload`. */
export type WebhookProvider = {
  readonly id: string;
  readonly displayName: string;
  /** Default authentication of deliveries: the key in the path, or the signature. */
  readonly authMode: "API_KEY" | "HMAC";
  readonly signing: Signing;
  /**
   * Set for a provider with a registrar: whether `externalContext` names the owner of its
   * listeners, such as a repository.
   */
  readonly registration?: { readonly needsContext: boolean };
  /**
   * Responds to a provider's URL verification; undefined for a delivery. `secret` is null if none is set. An
   * existing signature is verified already; the provider decides here whether one is required.
   */
  handshake?(
    request: InboundRequest,
    payload: unknown,
    secret: string | null,
  ): Handshake | undefined;
  /**
   * Deduplicates deliveries in addition to a delivery id outside the signature: by the signed body
   * if it is that of one event, or by body and event type if the provider sends a body once per
   * event type.
   */
  readonly signedIdentity?: "body" | "body and event type";
  /** Returns the event type and id of a delivery; the signed body takes precedence over headers. */
  describe(request: InboundRequest, payload: unknown): DeliveryFacts;
  /** Returns the response to a delivery; default 204. */
  acknowledge?(request: InboundRequest, payload: unknown): InboundResponse;
  /** Lower-case names of headers with credentials or signatures, hidden from subscribers. */
  readonly secretHeaders: readonly string[];
};
