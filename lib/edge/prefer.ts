import { validationFailed } from "../platform/http/problems.ts";
import type { Headers } from "../platform/http/request.ts";
import type { TenantContext } from "../tenancy/tenant/context.ts";
import { Reply } from "./respond.ts";

/** Maximum wait for the outcome of a request; `waitMs` 0 for no wait. */
type Preference = { waitMs: number | undefined; applied: string | undefined };

const maxWaitSeconds = 25;

/**
 * Reads `Prefer` (RFC 7240): `wait=N` (1 to 25 seconds) and `respond-async`; ignores other preferences. With
 * both, waits for N seconds, then responds. Throws 400.
 */
export const readPreference = (headers: Headers): Preference => {
  const tokens = (headers.get("prefer") ?? [])
    .flatMap((value) => value.split(","))
    .map((value) =>
      value
        .toLowerCase()
        .split("=")
        .map((part) => part.trim())
        .join("="),
    );
  const wait = tokens.find((token) => token === "wait" || token.startsWith("wait="));
  if (wait !== undefined) {
    const seconds = /^wait="?(\d{1,6})"?$/.exec(wait)?.[1];
    if (seconds === undefined || Number(seconds) < 1 || Number(seconds) > maxWaitSeconds) {
      const detail = `wait must be a whole number of seconds from 1 to ${maxWaitSeconds}`;
      throw validationFailed([{ pointer: "header/Prefer", detail }]);
    }
    return { waitMs: Number(seconds) * 1_000, applied: `wait=${seconds}` };
  }
  return tokens.includes("respond-async")
    ? { waitMs: 0, applied: "respond-async" }
    : { waitMs: undefined, applied: undefined };
};

/**
 * Builds the 202 response for work that continues in the background, with the address of its record.
 * @param reply `path`: of the record, below its tenant. `applied`: the preference that was applied; undefined for none
 */
export const acceptedReply = (
  { tenant, linkBase }: Pick<TenantContext, "tenant" | "linkBase">,
  { body, path, applied }: { body: object; path: string; applied: string | undefined },
): Reply =>
  new Reply(
    JSON.stringify(body),
    {
      "Content-Type": "application/json",
      Location: `${linkBase}/v1/tenants/${tenant.id}/${path}`,
      ...(applied !== undefined && { "Preference-Applied": applied }),
    },
    202,
  );
