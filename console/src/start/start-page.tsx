import { Navigate } from "@tanstack/react-router";
import { navigationItems } from "../app/navigation.tsx";
import { PageLoader } from "../app/page-loader.tsx";
import { useTenant } from "../app/tenant.ts";
import { useMay, useScopeCatalog } from "../session/permissions.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { RunAgentPage } from "./run-agent-page.tsx";

/** Leads to the first page that the user may open. A user who may only run agents does so here. */
export const StartPage = () => {
  const tenant = useTenant();
  const may = useMay();
  const { isFetched, error } = useScopeCatalog();
  const first = navigationItems.find(({ scope }) => may(scope));
  if (error) return <ProblemAlert error={error} />;
  if (!isFetched) return <PageLoader />;
  if (first) {
    const address: string = `/t/${encodeURIComponent(tenant)}/${first.segment}`;
    return <Navigate to={address} replace />;
  }
  if (may("agents:execute")) return <RunAgentPage />;
  return (
    <EmptyState title="Your role opens no page">
      Ask an administrator of your organization for another role.
    </EmptyState>
  );
};
