import type { Client, PriorDiscovery, Tool as RemoteTool } from "@modelcontextprotocol/client";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import { isRecord } from "../../../values/json/json.ts";
import type { IntegrationContext, ToolConfig } from "../integration.ts";
import { maxCallMs } from "../send-call.ts";
import type { Tool } from "../tool.ts";
import { maxSchemaCharacters, type SchemaAllowance } from "./definitions.ts";
import { describeParameters, toArguments } from "./parameters.ts";
import { type RemoteServer, readRemoteServer, withToken } from "./remote-server.ts";
import { readResult } from "./result.ts";
import { withClient } from "./with-client.ts";

const listingMs = 20_000;
const listMaxBytes = 2 * 1024 * 1024;
const callMaxBytes = 4 * 1024 * 1024;
const maxTools = 500;
const maxDescriptionLength = 4_000;

/** Lists the tools of a config's server. Throws ToolError and UpstreamError. */
export const listRemoteTools = async (
  config: ToolConfig,
  { outgoing, signal, accessToken }: IntegrationContext,
): Promise<readonly Tool[]> => {
  const server = readRemoteServer(config);
  const authorized = withToken(server, accessToken);
  const session = { outgoing, signal, timeoutMs: listingMs, maxBytes: listMaxBytes };
  const { tools, prior } = await withClient(authorized, session, async (client, until) => ({
    tools: await readTools(client, server.url.host, until),
    prior: toPriorDiscovery(client),
  }));
  const allowance = { left: maxSchemaCharacters };
  return tools.map((remote) => toTool(remote, server, { outgoing, prior, allowance }));
};

/** Reads all pages, without tools that MCP forbids clients to call: the library leaves out those with an invalid `x-mcp-header`. */
const readTools = async (
  client: Client,
  upstream: string,
  signal: AbortSignal,
): Promise<RemoteTool[]> => {
  const { tools } = await client.listTools(undefined, { signal, timeout: listingMs });
  const named = new Map<string, RemoteTool>();
  for (const tool of tools) if (!named.has(tool.name)) named.set(tool.name, tool);
  if (named.size <= maxTools) return [...named.values()];
  throw new UpstreamError(`${upstream} has more than ${maxTools} tools.`, { upstream });
};

const toPriorDiscovery = (client: Client): PriorDiscovery | undefined => {
  const discover = client.getDiscoverResult();
  if (client.getProtocolEra() === "legacy") return { kind: "legacy" };
  return discover && { kind: "modern", discover };
};

const toTool = (
  remote: RemoteTool,
  server: RemoteServer,
  {
    allowance,
    ...known
  }: {
    outgoing: IntegrationContext["outgoing"];
    prior: PriorDiscovery | undefined;
    allowance: SchemaAllowance;
  },
): Tool => {
  const { name, title, description, annotations, inputSchema } = remote;
  const parameters = describeParameters(inputSchema, allowance);
  return {
    descriptor: {
      id: name,
      displayName: title ?? annotations?.title ?? name,
      description: (description ?? title ?? name).slice(0, maxDescriptionLength),
      actionType: annotations?.readOnlyHint === true ? "ReadOnly" : "ReadWrite",
      resultType: isRecord(remote.outputSchema) ? "Json" : "String",
      parametersMetadata: parameters.map(({ descriptor }) => descriptor),
    },
    run: async (given, { signal, traceContext, accessToken, saveFile }) => {
      const values = toArguments(parameters, given);
      const session = { ...known, signal, timeoutMs: maxCallMs, maxBytes: callMaxBytes };
      const authorized = withToken(server, accessToken);
      const result = await withClient(authorized, session, (client, until) =>
        client.callTool(
          { name, arguments: values, ...(traceContext && { _meta: { ...traceContext } }) },
          {
            signal: until,
            timeout: maxCallMs,
            toolDefinition: { ...remote, outputSchema: undefined },
          },
        ),
      );
      return readResult(result, { upstream: server.url.host, toolId: name, saveFile });
    },
  };
};
