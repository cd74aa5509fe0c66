import type { GlobalInput } from "../../command.ts";
import { credentialsPath, readLogins } from "../../credentials.ts";
import type { Io } from "../../io.ts";
import { printList } from "../../output.ts";

/** Runs `wharf profiles list`. */
export const listProfiles = async (input: GlobalInput, io: Io): Promise<void> => {
  const { current, profiles } = await readLogins(credentialsPath(io));
  const items = Object.entries(profiles).map(([name, { url, tenant, credential }]) => ({
    name,
    url,
    tenant,
    credential: credential.kind,
    isCurrent: name === current,
  }));
  const toRow = (item: (typeof items)[number]): string[] => [
    item.isCurrent ? `* ${item.name}` : `  ${item.name}`,
    item.url,
    item.tenant,
    item.credential,
  ];
  const heading = ["  NAME", "URL", "TENANT", "CREDENTIAL"];
  printList(io, input, { items, none: "You are not logged in.", heading, toRow });
};
