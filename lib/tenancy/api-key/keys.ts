import { type Key, type ListKey, toDay } from "../../platform/db/keys.ts";

export const apiKeyKey = (organizationId: string, keyId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `KEY#${keyId}`,
});

/** A secret: what authentication reads, and the counters of its requests. */
export const keyHashKey = (sha256: string): Key => ({ pk: `KEYHASH#${sha256}`, sk: "KEYHASH" });

/** Entry of a key in the list of live keys, until it is revoked. */
export const liveKeyKey = (organizationId: string, keyId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `LIVE#KEY#${keyId}`,
});

/** Counts an organization's active keys. */
export const keyCountKey = (organizationId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: "ACTIVEKEYS",
});

/** Event ids are version 7 UUIDs: keys sort by time. */
export const auditEventKey = (keyId: string, eventId: string): Key => ({
  pk: `KEY#${keyId}`,
  sk: `AUDIT#${eventId}`,
});

export const apiKeysList = (organizationId: string): ListKey => ({
  pk: `ORG#${organizationId}`,
  prefix: "KEY#",
});

export const liveKeysList = (organizationId: string): ListKey => ({
  pk: `ORG#${organizationId}`,
  prefix: "LIVE#KEY#",
});

export const auditEventsList = (keyId: string): ListKey => ({
  pk: `KEY#${keyId}`,
  prefix: "AUDIT#",
});

/** Entry of an API key in the list of the day (UTC) on which it expires. `expiresAt` in Unix milliseconds. */
export const keyExpiryKey = (
  expiresAt: number,
  { organizationId, keyId }: { organizationId: string; keyId: string },
): Key => ({ pk: `KEYEXPIRY#${toDay(expiresAt)}`, sk: `KEY#${organizationId}#${keyId}` });

/** API keys that expire on the day (UTC) of a time in Unix milliseconds. */
export const keyExpiriesList = (time: number): ListKey => ({
  pk: `KEYEXPIRY#${toDay(time)}`,
  prefix: "KEY#",
});
