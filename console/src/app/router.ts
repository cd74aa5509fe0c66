import { createRouter } from "@tanstack/react-router";
import { accessRequestRoutes } from "../access-requests/routes.ts";
import { agentRoutes } from "../agents/routes.ts";
import { apiKeyRoutes } from "../api-keys/routes.ts";
import { approvalRoutes } from "../approvals/routes.ts";
import { connectorRoutes } from "../connectors/routes.ts";
import { conversationRoutes } from "../conversations/routes.ts";
import { datasetRoutes } from "../datasets/routes.ts";
import { docRoutes } from "../docs/routes.ts";
import { executionRoutes } from "../executions/routes.ts";
import { experimentRoutes } from "../experiments/routes.ts";
import { guardrailRoutes } from "../guardrails/routes.ts";
import { integrationRoutes } from "../integrations/routes.ts";
import { knowledgeRoutes } from "../knowledge/routes.ts";
import { memberRoutes } from "../members/routes.ts";
import { modelRoutes } from "../models/routes.ts";
import type { Session } from "../session/session.ts";
import { PageLoader } from "../shared/page-loader.tsx";
import { parseSearch, stringifySearch } from "../shared/search-params.ts";
import { ErrorPage } from "../shell/error-page.tsx";
import { rootRoute, startRoute, tenantRoute } from "../shell/root-route.tsx";
import { skillRoutes } from "../skills/routes.ts";
import { startRoutes } from "../start/routes.ts";
import { templateRoutes } from "../templates/routes.ts";
import { usageRoutes } from "../usage/routes.ts";
import { webhookRoutes } from "../webhooks/routes.ts";

/** All pages. A feature adds its routes here. */
const routeTree = rootRoute.addChildren([
  startRoute,
  tenantRoute.addChildren([
    ...startRoutes,
    ...templateRoutes,
    ...docRoutes,
    ...agentRoutes,
    ...executionRoutes,
    ...conversationRoutes,
    ...approvalRoutes,
    ...webhookRoutes,
    ...connectorRoutes,
    ...accessRequestRoutes,
    ...knowledgeRoutes,
    ...datasetRoutes,
    ...experimentRoutes,
    ...skillRoutes,
    ...integrationRoutes,
    ...modelRoutes,
    ...apiKeyRoutes,
    ...memberRoutes,
    ...guardrailRoutes,
    ...usageRoutes,
  ]),
]);

/** Creates the router of the console. */
export const createConsoleRouter = (session: Session) =>
  createRouter({
    routeTree,
    basepath: "/console",
    context: { session },
    defaultPreload: "intent",
    defaultPendingComponent: PageLoader,
    // Of a page: the navigation stays.
    defaultErrorComponent: ErrorPage,
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
