/** A request of a provider. */
export type SampleRequest = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

/** Where a provider's signature is, and what it covers. */
export type SampleSignature = {
  /** The header that has the signature, in lower case. */
  readonly header: string;
  /** False for a provider that sends its secret. */
  readonly coversBody?: false;
  /** Maximum age of a delivery; absent if the provider signs no time. */
  readonly windowSeconds?: number;
};

/** Sample events of a provider and how it signs them, for `wharf webhooks send` and tests. */
export type WebhookSample = {
  readonly signature: SampleSignature;
  /** Bodies by event name, the most common first. `now` in Unix milliseconds. */
  readonly events: Readonly<Record<string, (now: number) => SampleRequest>>;
  /** Generates the signing key, which is the secret itself unless a key pair is used. */
  newKey(randomBytes: (count: number) => Uint8Array): string;
  /** Returns the webhook's secret for a key; by default the key itself. */
  toSigningSecret?(key: string): string;
  /** Creates the signed request. */
  sign(request: SampleRequest, key: string, now: number): SampleRequest;
};

/** Creates a request with a JSON body. */
export const jsonRequest = (
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): SampleRequest => ({
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});

/** Creates a request with a form body. */
export const formRequest = (fields: Readonly<Record<string, string>>): SampleRequest => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});

/** Adds headers to a request. */
export const withHeaders = (
  request: SampleRequest,
  headers: Readonly<Record<string, string>>,
): SampleRequest => ({ ...request, headers: { ...request.headers, ...headers } });

/** Generates a key of random bytes in hex, as many providers do. */
export const hexKey = (randomBytes: (count: number) => Uint8Array): string =>
  Buffer.from(randomBytes(16)).toString("hex");

/** Formats a time in whole Unix seconds. */
export const formatUnixSeconds = (now: number): string => String(Math.floor(now / 1_000));
