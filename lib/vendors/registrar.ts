import type { PlainFetch } from "../platform/outgoing/retrying-fetch.ts";
import type { Runtime } from "../platform/runtime/runtime.ts";

/** Settings and decrypted credentials of an integration config. */
export type RegistrarConfig = {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly auth: Readonly<Record<string, string>>;
};

/** A provider's API with its config and HTTP client. */
export type RegistrationTarget = {
  config: RegistrarConfig;
  /** Location at the provider, such as a repository or a site's URL; parsed by the registrar. */
  externalContext: string | null;
  fetch: PlainFetch;
};

/** Settings of the listener to register. */
export type Wanted = {
  /** The webhook's URL without a key; unique to this listener. */
  url: string;
  secret: string | null;
  /** Events to send, parsed by the registrar; null for all. */
  filter: string | null;
  /** Unix milliseconds. */
  now: number;
};

/** A registered listener; `expiresAt` in Unix milliseconds, null when it never expires. */
export type Listener = { remoteId: string; expiresAt: number | null };

/**
 * Registers and removes listeners at a provider; all functions are idempotent. Throws `ProviderApiError` or
 * `OutgoingError`, which contain neither credentials nor the provider's response.
 */
export type Registrar = {
  /** Returns the id of the listener with this URL. */
  find: (target: RegistrationTarget, url: string) => Promise<string | undefined>;
  /** Registers the listener; updates an existing one with its URL. */
  register: (target: RegistrationTarget, wanted: Wanted) => Promise<Listener>;
  /** Removes a listener; a no-op when it does not exist. */
  unregister: (target: RegistrationTarget, remoteId: string) => Promise<void>;
  /** Generates a secret for a webhook without one, where the provider accepts it. */
  newSecret?: (randomBytes: Runtime["randomBytes"]) => string;
  /** Renews a listener and returns the new expiry; only where listeners expire. */
  renew?: (target: RegistrationTarget, remoteId: string, now: number) => Promise<number>;
};
