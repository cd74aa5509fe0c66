import type { PublishedConfig } from "../../integrations/config/read-published-config.ts";
import type { PlainFetch } from "../../platform/outgoing/patient-fetch.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";

/** A provider's API: where it is called, with what, and by which client. */
export type Target = {
  config: PublishedConfig;
  /** Where on the provider's side, as the provider's registrar reads it; a repository, a site's address. */
  externalContext: string | null;
  fetch: PlainFetch;
};

/** The listener that is wanted. */
export type Wanted = {
  /** Where deliveries go: the webhook's own URL, without a key, which no other listener has. */
  url: string;
  secret: string | null;
  /** Which events, as the provider's registrar reads it; null for all. */
  filter: string | null;
  /** Unix milliseconds. */
  now: number;
};

/** A listener that was made; `expiresAt` in Unix milliseconds, null when it never does. */
export type Listener = { remoteId: string; expiresAt: number | null };

/**
 * Makes and removes listeners with one provider. Every function may be repeated. What goes wrong is a
 * `RegistrationError` or an `OutgoingError`; neither holds credentials or what the provider said.
 */
export type Registrar = {
  /** Finds the listener with this URL: its id. */
  find: (target: Target, url: string) => Promise<string | undefined>;
  /** Makes the listener; one that has its URL already is changed to what is wanted. */
  register: (target: Target, wanted: Wanted) => Promise<Listener>;
  /** Removes a listener; nothing happens when there is none. */
  unregister: (target: Target, remoteId: string) => Promise<void>;
  /** A secret for a webhook that has none, where a listener can be given one. */
  newSecret?: (randomBytes: Runtime["randomBytes"]) => string;
  /** Puts off the end of a listener, and returns the new one; only where listeners expire. */
  renew?: (target: Target, remoteId: string, now: number) => Promise<number>;
};
