import * as z from "zod";
import { Uuid } from "../lib/platform/http/ids.ts";
import { trimSlashes } from "../lib/platform/runtime/trim-end.ts";
import { TenantSlug } from "../lib/tenancy/tenant/schemas.ts";
import { usage } from "./exit.ts";

/** Proves who calls: a user token or an API key. */
export type Credential = { kind: "token" | "api-key"; secret: string };

/** Reads the base URL of an API: http or https, without credentials or query, no slash at its end. */
export const parseBaseUrl = (text: string, source: string): string => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usage(`${source} must be a URL such as https://api.example.com.`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw usage(`${source} must be a plain URL: no user name, password, query or fragment.`);
  }
  return trimSlashes(url.href);
};

const TenantName = z.union([Uuid, TenantSlug]);

/** Reads what names a tenant: its slug or its id. */
export const parseTenant = (text: string, source: string): string => {
  const tenant = TenantName.safeParse(text);
  if (!tenant.success) throw usage(`${source} must be a tenant's slug or id.`);
  return tenant.data;
};

const apiKeyForm = /^[A-Za-z0-9]+_live_[A-Za-z0-9]+$/;

/** Reads a credential: what looks like `<prefix>_live_<secret>` is an API key, all else a user token. */
export const parseCredential = (text: string, source: string): Credential => {
  const secret = parseSecret(text, source);
  return { kind: apiKeyForm.test(secret) ? "api-key" : "token", secret };
};

/** Reads an API key, whatever it looks like. */
export const parseApiKey = (text: string, source: string): Credential => ({
  kind: "api-key",
  secret: parseSecret(text, source),
});

/** Only what a header can carry: anything else would make `fetch` fail with the secret in its message. */
const parseSecret = (text: string, source: string): string => {
  const secret = text.trim();
  if (!/^[\x21-\x7e]{1,8192}$/.test(secret)) {
    throw usage(`${source} holds no usable token: it must be one word of printable ASCII.`);
  }
  return secret;
};

/** Whether what is sent to a URL can be read on the way: http, and not to this machine. */
export const isInTheClear = (baseUrl: string): boolean => {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
};
