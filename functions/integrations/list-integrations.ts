import { endpoint } from "../../lib/http/endpoint.ts";
import { integrationCatalog } from "../../lib/integration/catalog.ts";
import { listIntegrations } from "./routes.ts";

export const handler = endpoint(listIntegrations, () => undefined, integrationCatalog);
