import { endpoint } from "../../lib/edge/endpoint.ts";
import { integrationCatalog } from "../../lib/integrations/catalog/catalog.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listIntegrations, integrationCatalog);
