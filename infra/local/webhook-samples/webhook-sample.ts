/** A request as a provider would send it. */
export type SampleRequest = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

/** What it takes to send what a provider sends, for trying out and for tests; in no function's bundle. */
export type WebhookSample = {
  /** Bodies by the event's name, the most usual first. `now` in Unix milliseconds. */
  readonly events: Readonly<Record<string, (now: number) => SampleRequest>>;
  /** A key of the provider's: what signs, which is the secret itself but where a pair is used. */
  newKey(randomBytes: (count: number) => Uint8Array): string;
  /** The webhook's secret that belongs to a key; the key itself when left out. */
  secretOf?(key: string): string;
  /** The request with the provider's signature. */
  sign(request: SampleRequest, key: string, now: number): SampleRequest;
};

/** A request with a JSON body. */
export const jsonRequest = (
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): SampleRequest => ({
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});

/** A request with a form body. */
export const formRequest = (fields: Readonly<Record<string, string>>): SampleRequest => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});

/** A request with more headers. */
export const withHeaders = (
  request: SampleRequest,
  headers: Readonly<Record<string, string>>,
): SampleRequest => ({ ...request, headers: { ...request.headers, ...headers } });

/** Random bytes in hex: the key of many a provider. */
export const hexKey = (randomBytes: (count: number) => Uint8Array): string =>
  Buffer.from(randomBytes(16)).toString("hex");

/** A moment in whole Unix seconds, as text. */
export const secondsOf = (now: number): string => String(Math.floor(now / 1_000));
