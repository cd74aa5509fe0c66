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
export const sealSecret = (sealer: Sealer, owner: Owner, secret: string): Promise<SealedValue> =>
  sealer.seal(secret, buildSealContext(owner));

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
    sealed.map(async (each) => {
      const key = readStandardKey(await openOnce(sealer, each, buildSealContext(destination)));
      if (!key) throw new Error("the stored signing secret is invalid");
      return key.bytes;
    }),
  );
};
