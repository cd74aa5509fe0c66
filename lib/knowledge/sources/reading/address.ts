import { trimSlashes } from "../../../platform/runtime/trim-end.ts";

/** A path below a base address, which may have a path of its own and end with a slash. */
export function below(
  base: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
): URL {
  const url = new URL(base);
  url.pathname = `${trimSlashes(url.pathname)}${path}`;
  url.search = new URLSearchParams(query).toString();
  url.hash = "";
  return url;
}

/** A user's and a secret's header; without a user, the secret is a bearer token. */
export const authorization = (token: string, user?: string): { authorization: string } => ({
  authorization:
    user === undefined || user === ""
      ? `Bearer ${token}`
      : `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}`,
});
