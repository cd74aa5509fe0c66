import { listTools } from "../../lib/integrations/tools/list-tools.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import { toolsDeps } from "../deps/tools-deps.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listTools, ({ ctx, params, query }) => {
  const { configId } = query;
  const input = { integrationId: params.integration, configId, page: toPageRequest(query) };
  return listTools(toolsDeps(), { ctx, ...input });
});
