import { unwrapBody } from "../../../client/client.ts";
import type { IntegrationConfig } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import { usage } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson, printMessage } from "../../output.ts";
import { openSession, type Session } from "../../session.ts";

type Input = GlobalInput & {
  agent: readonly string[];
  tool: readonly string[];
  displayName: string | undefined;
};

/** Runs `wharf mcp create`. */
export const createMcpServer = async (input: Input, io: Io): Promise<void> => {
  const { agent, tool, displayName = "MCP" } = input;
  if (agent.length + tool.length === 0) throw usage("Set at least one --agent or --tool.");
  const session = await openSession(input, io);
  const { client, tenant, connection } = session;
  const created = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/integration-configs", {
      params: { path: { tenant } },
      body: {
        integrationId: "system",
        displayName,
        parameters: { agents: [...agent], tools: [...tool] },
        exposeMcp: true,
      },
    }),
  );
  const published = await publish(session, created.id, io);
  const url = `${connection.url}/v1/tenants/${tenant}/mcp/${created.id}`;
  const { mcpKey } = created;
  if (input.json) return printJson(io, { ...published, mcpKey, url });
  printFields(io, [
    ["ID", created.id],
    ["URL", url],
    ["API key", mcpKey?.key ?? "not shown: that requires mcp:invoke"],
  ]);
  printMessage(
    io,
    "Clients connect with Streamable HTTP and send the key in the header X-API-KEY.",
  );
};

/** Publishes the config. If that fails, it is deleted, because its key was not shown. */
const publish = async (
  { client, tenant }: Session,
  config: string,
  io: Io,
): Promise<IntegrationConfig> => {
  const params = { path: { tenant, config } };
  try {
    return await unwrapBody(
      client.POST("/v1/tenants/{tenant}/integration-configs/{config}:publish", { params }),
    );
  } catch (error) {
    const isDeleted = await client
      .DELETE("/v1/tenants/{tenant}/integration-configs/{config}", { params })
      .then(
        () => true,
        () => false,
      );
    printMessage(
      io,
      isDeleted
        ? "wharf: The config could not be published, so it was deleted again."
        : `wharf: The config ${config} could not be published or deleted; delete it in the console.`,
    );
    throw error;
  }
};
