import type { Route } from "../lib/http/route.ts";
import * as agents from "./agents/routes.ts";
import * as apiKeys from "./api-keys/routes.ts";
import * as executions from "./executions/routes.ts";
import * as llmProviders from "./llm-providers/routes.ts";
import * as meta from "./meta/routes.ts";
import * as revisions from "./revisions/routes.ts";
import * as tenants from "./tenants/routes.ts";

/** Every endpoint. Infra, the OpenAPI document, the local server and the common test suite loop over these. */
export const routes: readonly Route[] = [
  tenants,
  apiKeys,
  agents,
  revisions,
  executions,
  llmProviders,
  meta,
].flatMap((group): Route[] => Object.values(group));
