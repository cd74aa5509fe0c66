import type { Headers } from "../../platform/http/request.ts";

/** Returns the value of a cookie of a request; undefined where it is not sent exactly once. */
export const readCookie = (headers: Headers, name: string): string | undefined => {
  const pairs = (headers.get("cookie") ?? []).flatMap((header) => header.split(";"));
  const values = pairs.flatMap((pair) => {
    const at = pair.indexOf("=");
    return pair.slice(0, at).trim() === name ? pair.slice(at + 1).trim() : [];
  });
  return values.length === 1 ? values[0] : undefined;
};
