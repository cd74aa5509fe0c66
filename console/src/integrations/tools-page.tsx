import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../shared/page.tsx";
import { ToolTable } from "./tool-table.tsx";
import { useCatalog } from "./use-integrations.ts";

const route = getRouteApi("/t/$tenant/integrations/$integration/tools");

/** Shows the tools of an integration that needs no config. */
export const ToolsPage = () => {
  const { tenant, integration } = route.useParams();
  const found = useCatalog().data?.find(({ id }) => id === integration);
  return (
    <Page
      title={found?.displayName ?? integration}
      back={`/t/${tenant}/integrations`}
      description={found?.description}
    >
      <ToolTable source={{ integration }} />
    </Page>
  );
};
