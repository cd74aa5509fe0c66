import { isLoopback } from "../lib/platform/http/is-loopback.ts";
import { usage } from "./exit.ts";

/** A user token or an API key. */
export type Credential = { kind: "token" | "api-key"; secret: string };

/** Parses the base URL of an API: http or https, without credentials or query. Removes a trailing slash. */
export const parseBaseUrl = (text: string, source: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw usage(`${source} must be a URL such as https://api.example.com.`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw usage(`${source} must be a plain URL: no user name, password, query or fragment.`);
  }
  return withoutEndingSlashes(url.href);
};

/** Parses the address that deliveries are forwarded to. */
export const parseForwardUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw usage("--forward-to must be a URL such as http://localhost:3000/hooks.");
};

const withoutEndingSlashes = (text: string): string =>
  text.endsWith("/") ? withoutEndingSlashes(text.slice(0, -1)) : text;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const slug = /^[A-Za-z0-9][A-Za-z0-9-]{0,127}$/;

/** Parses a tenant's slug or id. */
export const parseTenant = (text: string, source: string): string => {
  if (!slug.test(text)) throw usage(`${source} must be a tenant's slug or id.`);
  return text;
};

/** Parses a key's id. The message does not repeat the argument, which may be the key itself. */
export const parseKeyId = (text: string): string => {
  if (uuid.test(text)) return text;
  throw usage("<id> must be the key's id, a UUID from wharf keys list, not the key itself.");
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

/** Returns whether a URL is neither https nor http to this machine, so that a credential would be sent unencrypted. */
export const isUnencrypted = (text: string): boolean => {
  const url = new URL(text);
  return url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url));
};
