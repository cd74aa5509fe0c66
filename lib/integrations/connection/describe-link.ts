import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { readPublishedSettings } from "../config/read-published-settings.ts";
import { getIntegrationConfig } from "../config/store.ts";
import { readContent } from "../config/to-integration-config.ts";
import type { ConnectionDeps } from "./connection-deps.ts";
import type { ConnectionLink } from "./connection-link.ts";

/** Description of a link for people. `identityProvider`: host at which a person signs in for `id-jag`; undefined otherwise. */
export type LinkDescription = { name: string; identityProvider: string | undefined };

/** Returns what a link connects, for people. */
export const describeLink = async (
  { db }: Pick<ConnectionDeps, "db">,
  { tenant: { id: tenantId }, item }: Pick<ConnectionLink, "tenant" | "item">,
): Promise<LinkDescription> => {
  const configId = item.integrationConfigId;
  const config = await getIntegrationConfig(db, tenantId, configId);
  const settings = config && (await readPublishedSettings({ db }, { tenantId, configId }));
  const { identityProviderAuthorizationUrl: signInUrl, identityProviderIssuer } = settings ?? {};
  return {
    name: config ? readContent(config).displayName : "the service",
    identityProvider:
      settings?.grant === "id-jag"
        ? parseAddress(signInUrl ?? identityProviderIssuer ?? "")?.host
        : undefined,
  };
};
