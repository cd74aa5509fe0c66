import * as z from "zod";
import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  IntegrationList,
  IntegrationToolPage,
  RunToolBody,
  ToolRunResult,
} from "../../lib/integrations/catalog/schemas.ts";
import { ChosenId, Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("integrations");
const integration = ChosenId.meta({ example: "system" });
const tool = z.string().min(1).max(256).meta({ description: "A tool's id.", example: "calculate" });

export const listIntegrations = route({
  operation: "list-integrations",
  method: "GET",
  path: "/v1/tenants/{tenant}/integrations",
  summary: "Lists integrations with the settings of their configs",
  scope: "integrations:read",
  response: { status: 200, schema: IntegrationList },
  access: { table: "read" },
});

export const listTools = route({
  operation: "list-tools",
  method: "GET",
  path: "/v1/tenants/{tenant}/integrations/{integration}/tools",
  summary: "Lists the tools of an integration or of one of its configs",
  scope: "tools:read",
  params: { integration },
  query: {
    ...pagingQuery,
    configId: Uuid.optional().meta({
      description:
        "The config that provides the tools of openapi or mcp with its published revision.",
    }),
  },
  response: { status: 200, schema: IntegrationToolPage },
  problems: ["execution-failed", "upstream-failed", "upstream-timeout"],
  access: { table: "write", secrets: "seal" },
  slots: "call",
  concurrencyWeight: 2,
});

export const runTool = route({
  operation: "run-tool",
  method: "POST",
  path: "/v1/tenants/{tenant}/integrations/{integration}/tools/{tool}:run",
  summary: "Runs a tool",
  scope: "tools:test",
  params: { integration, tool },
  body: RunToolBody,
  response: { status: 200, schema: ToolRunResult },
  problems: ["execution-failed", "upstream-failed", "upstream-timeout"],
  access: { table: "write", bucket: "write", secrets: "seal" },
  slots: "call",
  concurrencyWeight: 4,
});
