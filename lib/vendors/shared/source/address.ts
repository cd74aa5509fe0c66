import { trimSlashes } from "../../../platform/runtime/trim-end.ts";

/** Appends a path to a base address, which may have a path of its own and end with a slash. */
export const addressBelow = (
  base: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
): URL => {
  const url = new URL(base);
  url.pathname = `${trimSlashes(url.pathname)}${path}`;
  url.search = new URLSearchParams(query).toString();
  url.hash = "";
  return url;
};

/** Returns an `Authorization` header: basic for a user's token, bearer without a user. */
export const authorization = (token: string, user?: string): { authorization: string } => ({
  authorization:
    user === undefined || user === ""
      ? `Bearer ${token}`
      : `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}`,
});
