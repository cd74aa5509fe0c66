import type { Route } from "../lib/edge/route.ts";
import * as a2a from "./a2a/routes.ts";
import * as accessRequests from "./access-requests/routes.ts";
import * as agents from "./agents/routes.ts";
import * as apiKeys from "./api-keys/routes.ts";
import * as approvals from "./approvals/routes.ts";
import * as assets from "./assets/routes.ts";
import * as auditRecords from "./audit-records/routes.ts";
import * as budgets from "./budgets/routes.ts";
import * as callbacks from "./callbacks/routes.ts";
import * as chatUsers from "./chat-users/routes.ts";
import * as collaborators from "./collaborators/routes.ts";
import * as connections from "./connections/routes.ts";
import * as connectors from "./connectors/routes.ts";
import * as datasets from "./datasets/routes.ts";
import * as eventDestinations from "./event-destinations/routes.ts";
import * as executions from "./executions/routes.ts";
import * as experiments from "./experiments/routes.ts";
import * as files from "./files/routes.ts";
import * as guardrails from "./guardrails/routes.ts";
import * as inbound from "./inbound/routes.ts";
import * as integrationConfigs from "./integration-configs/routes.ts";
import * as integrations from "./integrations/routes.ts";
import * as llmProviders from "./llm-providers/routes.ts";
import * as mcp from "./mcp/routes.ts";
import * as memories from "./memories/routes.ts";
import * as meta from "./meta/routes.ts";
import * as onlineEvaluations from "./online-evaluations/routes.ts";
import * as openai from "./openai/routes.ts";
import * as revisions from "./revisions/routes.ts";
import * as scorers from "./scorers/routes.ts";
import * as scores from "./scores/routes.ts";
import * as sessions from "./sessions/routes.ts";
import * as skills from "./skills/routes.ts";
import * as tenants from "./tenants/routes.ts";
import * as usage from "./usage/routes.ts";
import * as webhooks from "./webhooks/routes.ts";

const order = ({ path, method }: Route): string => `${path} ${method}`;

/** Every endpoint, by path. Infra, the OpenAPI document, the local server and the common test suite loop over these. */
export const routes: readonly Route[] = [
  tenants,
  apiKeys,
  auditRecords,
  agents,
  accessRequests,
  chatUsers,
  budgets,
  collaborators,
  connections,
  connectors,
  revisions,
  executions,
  sessions,
  files,
  memories,
  approvals,
  callbacks,
  scores,
  onlineEvaluations,
  experiments,
  usage,
  eventDestinations,
  assets,
  datasets,
  guardrails,
  llmProviders,
  webhooks,
  integrationConfigs,
  mcp,
  openai,
  a2a,
  scorers,
  skills,
  integrations,
  inbound,
  meta,
]
  .flatMap((group): Route[] => Object.values(group))
  .toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
