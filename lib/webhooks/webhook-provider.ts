import type { Headers } from "../http/request.ts";

/** A request to an inbound address, as it came. */
export type InboundRequest = {
  readonly method: "GET" | "POST";
  readonly headers: Headers;
  readonly query: Readonly<Record<string, string>>;
  /** The raw bytes: what signatures are made of. */
  readonly body: Uint8Array;
};

/** What is answered at once, word for word. A body makes it 200. */
export type InboundAnswer = {
  readonly status: 200 | 202 | 204 | 403;
  readonly contentType?: string;
  readonly body?: string;
};

/** What a delivery is called. */
export type DeliveryFacts = {
  /** Null where the provider tells none. */
  readonly eventType: string | null;
  /** The provider's own id, the same when it sends the delivery again; null where it has none. */
  readonly deliveryId: string | null;
};

/** What a provider does with a signing secret. */
export type Signing = {
  /** Who makes the secret: the service, or the provider, whose secret the user then gives us. */
  readonly issuedBy: "wharf" | "provider";
  /** A new secret in the provider's form, from random bytes; only where the service makes it. */
  generate?(randomBytes: (count: number) => Uint8Array): string;
  /** What is wrong with a secret that a user gives; undefined when nothing is. */
  checkSecret?(secret: string): string | undefined;
  /** Whether a request carries this provider's signature at all. */
  isSigned(request: InboundRequest): boolean;
  /** Whether the signature is right, compared in constant time, and not too old. `now` in Unix milliseconds. */
  verify(request: InboundRequest, secret: string, now: number): boolean | Promise<boolean>;
};

/**
 * A source of webhooks: data and a few small functions, one file each. Nothing here reads storage; what a
 * function is given was parsed at the edge.
 */
export type WebhookProvider = {
  readonly id: string;
  readonly displayName: string;
  /** How deliveries are trusted when nothing else is said: by the key in the path, or by signature. */
  readonly authMode: "API_KEY" | "HMAC";
  readonly signing?: Signing;
  /**
   * Answers a request that is no delivery but the provider's check of the address; undefined for a
   * delivery. `secret` is null when none is set. What it `learns` becomes the webhook's secret, once.
   */
  handshake?(
    request: InboundRequest,
    payload: unknown,
    secret: string | null,
  ): { readonly answer: InboundAnswer; readonly learns?: string } | undefined;
  /** Whether the handshake must pass the signature check before it is answered. Default: it must, when signed. */
  describe(request: InboundRequest, payload: unknown): DeliveryFacts;
  /** What a delivery is answered: 204, or what the provider wants. */
  acknowledge?(request: InboundRequest, payload: unknown): InboundAnswer;
  /** Lower-case names of headers that hold its credentials or signatures: nobody downstream sees them. */
  readonly secretHeaders: readonly string[];
};
