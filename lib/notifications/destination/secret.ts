import * as z from "zod";
import { openOnce } from "../../platform/db/open-once.ts";
import type { SealContext, SealedValue, Sealer } from "../../platform/db/seal.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import { readStandardKey } from "../../platform/signatures/standard.ts";
import type { EventDestinationItem } from "./items.ts";

type Owner = Pick<EventDestinationItem, "organizationId" | "id">;

const buildSealContext = ({ organizationId, id }: Owner): SealContext => ({
  organizationId,
  eventDestinationId: id,
});

/** Creates a signing secret: `whsec_` and 32 random bytes in base64. */
export const newSecret = ({ randomBytes }: Pick<Runtime, "randomBytes">): string =>
  `whsec_${Buffer.from(randomBytes(32)).toString("base64")}`;

/** Encrypts a signing secret, bound to its destination. */
export const sealDestinationSecret = (
  sealer: Sealer,
  owner: Owner,
  secret: string,
): Promise<SealedValue> => sealer.seal(secret, buildSealContext(owner));

/** Encrypts the headers of an OTLP destination, bound to it. */
export const sealHeaders = async (
  sealer: Sealer,
  owner: Owner,
  headers: Readonly<Record<string, string>> | null | undefined,
): Promise<Pick<EventDestinationItem, "headers" | "headerNames">> => {
  const headerNames = Object.keys(headers ?? {});
  if (headerNames.length === 0) return { headers: null, headerNames };
  return { headers: await sealer.seal(headers, buildSealContext(owner)), headerNames };
};

const Headers = z.record(z.string(), z.string());

/** Returns the headers of an OTLP destination. */
export const openHeaders = async (
  sealer: Sealer,
  destination: Owner & Pick<EventDestinationItem, "headers">,
): Promise<Record<string, string>> =>
  destination.headers === null
    ? {}
    : Headers.parse(await sealer.open(destination.headers, buildSealContext(destination)));

/** Returns the signing keys valid at `now` (Unix milliseconds): the current one, and the previous one for a day. */
export const openKeys = (
  sealer: Sealer,
  destination: Pick<EventDestinationItem, "organizationId" | "id" | "secret" | "previousSecret">,
  now: number,
): Promise<Uint8Array[]> => {
  const { secret, previousSecret } = destination;
  const sealed = [
    secret,
    ...(previousSecret && previousSecret.until > now ? [previousSecret.secret] : []),
  ];
  return Promise.all(
    sealed.map(async (value) => {
      const key = readStandardKey(await openOnce(sealer, value, buildSealContext(destination)));
      if (!key) throw new Error("the stored signing secret is invalid");
      return key.bytes;
    }),
  );
};
