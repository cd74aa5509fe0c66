import type { Headers } from "../../platform/http/request.ts";

/** A request to an inbound address, as it came. */
export type InboundRequest = {
  readonly method: "GET" | "POST";
  readonly headers: Headers;
  readonly query: Readonly<Record<string, string>>;
  /** The raw bytes: what signatures are made of. */
  readonly body: Uint8Array;
};

/** What is answered at once, word for word. */
export type InboundAnswer = {
  readonly status: 200 | 204 | 403;
  readonly contentType?: string;
  readonly body?: string;
};

/** What a delivery is called. */
export type DeliveryFacts = {
  /** At most 256 characters; null where the provider tells none, or a header tells another than the body. */
  readonly eventType: string | null;
  /**
   * The same when the provider sends the delivery again: its own id, or a hash of what does not change. At
   * most 200 printable characters; null where every delivery counts as a new one.
   */
  readonly deliveryId: string | null;
};

/** What a provider does with a signing secret. */
export type Signing = {
  /** Who makes the secret: the service, or the provider, whose secret the user then gives us. */
  readonly issuedBy: "wharf" | "provider";
  /** A new secret in the provider's form, from random bytes; undefined where nobody else can make one. */
  generate?(randomBytes: (count: number) => Uint8Array): string;
  /** What is wrong with a secret that a user gives; undefined when nothing is. */
  checkSecret(secret: string): string | undefined;
  /** Whether a request carries this provider's signature at all, right or wrong. */
  isSigned(request: InboundRequest): boolean;
  /** Whether the signature is right, compared in constant time, and not too old. `now` in Unix milliseconds. */
  verify(request: InboundRequest, secret: string, now: number): boolean;
};

/** A provider's check of the address, answered. */
export type Handshake = {
  readonly answer: InboundAnswer;
  /** The secret that the provider made for the webhook, and why the user has to see it once. */
  readonly learns?: { readonly secret: string; readonly showBecause: string };
};

/**
 * A source of webhooks: data and a few small functions, one file each. Nothing here reads storage, and
 * nothing throws, whatever the request. Payloads are what `parsePayload` makes of the body.
 */
export type WebhookProvider = {
  readonly id: string;
  readonly displayName: string;
  /** How deliveries are trusted when nothing else is said: by the key in the path, or by signature. */
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
  /** Lower-case names of headers that hold its credentials or signatures: nobody downstream sees them. */
  readonly secretHeaders: readonly string[];
};
