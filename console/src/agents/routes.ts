import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { parseExecutionSearch } from "../executions/search.ts";
import { wholeNumber } from "../shared/search-params.ts";
import { tenantRoute } from "../shell/root-route.tsx";
import { parseUsageSearch } from "../usage/search.ts";
import { agentRoute } from "./agent-route.ts";

const listRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: "agents",
  component: lazyRouteComponent(() => import("./agents-page.tsx"), "AgentsPage"),
});

const startRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/t/$tenant/agents/$agent/flow", params });
  },
});

const flowRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: "flow",
  validateSearch: (search: Record<string, unknown>): { revision?: number } => {
    const revision = Number(search.revision);
    return revision > 0 ? { revision } : {};
  },
  component: lazyRouteComponent(() => import("./flow/flow-page.tsx"), "FlowPage"),
});

const revisionsRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: "revisions",
  validateSearch: ({
    deploy,
    experiment,
  }: Record<string, unknown>): { deploy?: number; experiment?: string } => {
    const revision = wholeNumber(deploy);
    return {
      ...(revision !== undefined && { deploy: revision }),
      ...(typeof experiment === "string" && { experiment }),
    };
  },
  component: lazyRouteComponent(() => import("./revisions-page.tsx"), "RevisionsPage"),
});

const tryRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: "try",
  validateSearch: (
    search: Record<string, unknown>,
  ): { from?: string; session?: string; template?: string } => ({
    ...(typeof search.from === "string" && { from: search.from }),
    ...(typeof search.session === "string" && { session: search.session }),
    ...(typeof search.template === "string" && { template: search.template }),
  }),
  component: lazyRouteComponent(() => import("./try-it/try-it-page.tsx"), "TryItPage"),
});

const executionsRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: "executions",
  validateSearch: parseExecutionSearch,
  component: lazyRouteComponent(() => import("./agent-executions-page.tsx"), "AgentExecutionsPage"),
});

const sessionsRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: "sessions",
  validateSearch: ({ endUserId }: Record<string, unknown>): { endUserId?: string } =>
    typeof endUserId === "string" && endUserId !== "" ? { endUserId } : {},
  component: lazyRouteComponent(() => import("./sessions-page.tsx"), "SessionsPage"),
});

const memoriesRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: "memories",
  validateSearch: ({ namespace }: Record<string, unknown>): { namespace?: string } =>
    typeof namespace === "string" && namespace !== "" ? { namespace } : {},
  component: lazyRouteComponent(() => import("./memories/memories-page.tsx"), "MemoriesPage"),
});

const costRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: "cost",
  validateSearch: parseUsageSearch,
  component: lazyRouteComponent(() => import("./cost/cost-page.tsx"), "CostPage"),
});

const collaboratorsRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: "collaborators",
  component: lazyRouteComponent(
    () => import("./collaborators/collaborators-page.tsx"),
    "CollaboratorsPage",
  ),
});

const connectorsRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: "connectors",
  component: lazyRouteComponent(() => import("./agent-connectors-page.tsx"), "AgentConnectorsPage"),
});

const schedulesRoute = createRoute({
  getParentRoute: () => agentRoute,
  path: "schedules",
  component: lazyRouteComponent(() => import("./schedules/schedules-page.tsx"), "SchedulesPage"),
});

/** Pages of the agents. */
export const agentRoutes = [
  listRoute,
  agentRoute.addChildren([
    startRoute,
    flowRoute,
    revisionsRoute,
    tryRoute,
    executionsRoute,
    sessionsRoute,
    memoriesRoute,
    costRoute,
    collaboratorsRoute,
    connectorsRoute,
    schedulesRoute,
  ]),
] as const;
