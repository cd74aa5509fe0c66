import { integrationCatalog } from "../../lib/integrations/catalog/catalog.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listIntegrations, integrationCatalog);
