import * as z from "zod";
import { Uuid } from "../lib/platform/http/ids.ts";
import { trimSlashes } from "../lib/platform/runtime/trim-end.ts";
import { TenantSlug } from "../lib/tenancy/tenant/schemas.ts";
import { usage } from "./exit.ts";

/** A user token or an API key. */
export type Credential = { kind: "token" | "api-key"; secret: string };

/** Parses the base URL of an API: http or https, without credentials or query. Removes a trailing slash. */
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

/** Parses a tenant's slug or id. */
export const parseTenant = (text: string, source: string): string => {
  const tenant = TenantName.safeParse(text);
  if (!tenant.success) throw usage(`${source} must be a tenant's slug or id.`);
  return tenant.data;
};

const apiKeyForm = /^[A-Za-z0-9]+_live_[A-Za-z0-9]+$/;

/** Parses a credential: an API key in the format `<prefix>_live_<secret>`, otherwise a user token. */
export const parseCredential = (text: string, source: string): Credential => {
  const secret = parseSecret(text, source);
  return { kind: apiKeyForm.test(secret) ? "api-key" : "token", secret };
};

/** Parses an API key of any format. */
export const parseApiKey = (text: string, source: string): Credential => ({
  kind: "api-key",
  secret: parseSecret(text, source),
});

/** Rejects characters that a header can't contain, because the error of `fetch` would contain the secret. */
const parseSecret = (text: string, source: string): string => {
  const secret = text.trim();
  if (!/^[\x21-\x7e]{1,8192}$/.test(secret)) {
    throw usage(`${source} is not a valid token: it must be printable ASCII without spaces.`);
  }
  return secret;
};

/** Returns whether requests to a URL are unencrypted: http, except to this machine. */
export const isUnencrypted = (baseUrl: string): boolean => {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
};
