import { endpoint } from "../../lib/http/endpoint.ts";
import { pageOfArray, toPageRequest } from "../../lib/http/paging.ts";
import { builtInProviders } from "../../lib/provider/built-in-providers.ts";
import { listLlmProviders } from "./routes.ts";

export const handler = endpoint(
  listLlmProviders,
  () => undefined,
  async ({ query }) => pageOfArray(builtInProviders, toPageRequest(query)),
);
