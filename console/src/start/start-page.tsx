import { Stack } from "@mantine/core";
import { Navigate } from "@tanstack/react-router";
import { useMay, useScopeCatalog } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { navigationItems } from "../shell/navigation.tsx";
import { RunAgentPage } from "./run-agent-page.tsx";

/** Leads to the first page that the user may open. A user who may only run agents does so here. */
export const StartPage = () => {
  const tenant = useTenant();
  const may = useMay();
  const { data: catalog, error } = useScopeCatalog();
  const first = navigationItems.find(({ scope }) => may(scope));
  // Typed text stays if a later read fails.
  if (!catalog) return error ? null : <PageLoader />;
  if (first) {
    const address: string = `/t/${encodeURIComponent(tenant)}/${first.segment}`;
    return <Navigate to={address} replace />;
  }
  if (may("agents:execute")) {
    return (
      <Stack>
        <ReadProblem error={error} />
        <RunAgentPage />
      </Stack>
    );
  }
  return (
    <EmptyState title="Your role opens no page">
      Ask an administrator of your organization for another role.
    </EmptyState>
  );
};
