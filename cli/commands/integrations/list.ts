import { unwrapBody } from "../../../client/client.ts";
import type { Integration, IntegrationConfig } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { available: boolean; limit: number | undefined };

/** Runs `wharf integrations list`. */
export const listIntegrations = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const path = { tenant };
  if (input.available) {
    const items = await unwrapBody(
      client.GET("/v1/tenants/{tenant}/integrations", { params: { path } }),
    );
    const shown = items.slice(0, input.limit);
    return printList(io, input, { items: shown, none: "No integrations found.", ...available });
  }
  const items = await listAll(
    (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/integration-configs", { params: { path, query } }),
      ),
    input.limit,
    io,
  );
  printList(io, input, { items, none: "No integration configs found.", heading, toRow });
};

const heading = ["ID", "INTEGRATION", "NAME", "PUBLISHED", "LATEST", "MCP", "MODIFIED"];

const toRow = (config: IntegrationConfig): string[] => [
  config.id,
  config.integrationId,
  config.displayName,
  String(config.publishedRevision ?? "none"),
  String(config.latestRevision),
  config.exposeMcp ? "yes" : "no",
  showTime(config.modifiedAt),
];

const available = {
  heading: ["ID", "NAME", "CONFIG", "SETTINGS", "CREDENTIALS"],
  toRow: ({ id, displayName, needsConfig, parameters }: Integration): string[] => {
    const names = (isSecret: boolean): string =>
      parameters
        .filter(({ secret }) => secret === isSecret)
        .map(({ name }) => name)
        .join(", ");
    return [id, displayName, needsConfig ? "required" : "optional", names(false), names(true)];
  },
};
