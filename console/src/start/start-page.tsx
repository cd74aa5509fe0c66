import { Stack } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useMay, useScopeCatalog } from "../session/permissions.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { navigationItems } from "../shell/navigation-items.ts";
import { RunAgentPage } from "./run-agent-page.tsx";

const HomePage = lazy(() =>
  import("./home-page.tsx").then(({ HomePage: component }) => ({ default: component })),
);

/** The start of a tenant. A user who may only run agents does so here. */
export const StartPage = () => {
  const may = useMay();
  const { data: catalog, error } = useScopeCatalog();
  const opensPages = navigationItems.some(({ scope }) => may(scope));
  // Typed text stays if a later read fails.
  if (!catalog) return error ? null : <PageLoader />;
  if (opensPages) {
    return (
      <Suspense fallback={<PageLoader />}>
        <HomePage />
      </Suspense>
    );
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
    <EmptyState title="No pages available">
      Your role has no access to the console. Ask an administrator of your organization for another
      role.
    </EmptyState>
  );
};
