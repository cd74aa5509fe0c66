import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { SealedValue } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteItem, putItem } from "../../platform/db/write-item.ts";
import { Timestamp } from "../../platform/http/ids.ts";
import { consentKey } from "../keys.ts";
import { IdentityProvider, OAuthClient, OAuthServer } from "../oauth/oauth-server.ts";
import { ProofKey } from "../oauth/proof-key.ts";

/** A consent that a browser began, as stored. `stateHash`: of the state that the browser brings back. */
export const ConsentItem = z.object({
  stateHash: z.string(),
  connectionId: z.string(),
  serial: z.string(),
  /** When the connection was connected before; null for the first consent. Another consent ends this one. */
  connectedAt: Timestamp.nullable(),
  /** Hash of the cookie of the browser that began. */
  browserHash: z.string(),
  /** Unix milliseconds. */
  expiresAt: z.int(),
  /** Secrets of the exchange of the code. */
  sealed: SealedValue,
  /** Unix seconds. */
  ttl: z.int(),
});
export type ConsentItem = z.output<typeof ConsentItem>;

/** Secrets and settings of the exchange of a code, from when the browser was sent away. */
export const ConsentSecrets = z.object({
  verifier: z.string(),
  redirectUri: z.string(),
  server: OAuthServer,
  client: OAuthClient,
  /** The key that the tokens are to be bound to; absent for bearer tokens. */
  proofKey: ProofKey.optional(),
  /** Where the person signs in for the grant `id-jag`: it issues the code. */
  identityProvider: IdentityProvider.optional(),
  scopes: z.array(z.string()),
  /** Those of them that the config does not have. */
  addedScopes: z.array(z.string()),
  target: z.string(),
});
export type ConsentSecrets = z.output<typeof ConsentSecrets>;

/** Stores a consent that begins. */
export const putConsent = async (
  db: Database,
  tenantId: TenantId,
  item: ConsentItem,
): Promise<void> => {
  await putItem(db, { Item: { ...consentKey(tenantId, item.stateHash), ...item } });
};

/** TENANT#t#CONNECTIONS / CONSENT#hash: reads a consent that is under way. */
export const getConsent = (
  db: Database,
  tenantId: TenantId,
  stateHash: string,
): Promise<ConsentItem | undefined> => getItem(db, consentKey(tenantId, stateHash), ConsentItem);

/** Uses a state up. Returns false for the second use. */
export const useUpConsent = async (
  db: Database,
  tenantId: TenantId,
  stateHash: string,
): Promise<boolean> => {
  const { written } = await deleteItem(db, {
    Key: consentKey(tenantId, stateHash),
    ConditionExpression: "attribute_exists(pk)",
  });
  return written;
};
