import { getRouteApi } from "@tanstack/react-router";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { Page } from "../shared/page.tsx";
import { findTemplate } from "./all-templates.ts";
import { TemplateDialog } from "./template-dialog.tsx";
import { TemplateList } from "./template-list.tsx";

const route = getRouteApi("/t/$tenant/templates");

/** Lists the templates, and creates an agent from one. */
export const TemplatesPage = () => {
  const tenant = useTenant();
  const may = useMay();
  const navigate = route.useNavigate();
  const { template } = route.useSearch();
  const chosen = findTemplate(template);
  const mayCreate = may("agents:write") && may("revisions:write");
  return (
    <Page
      title="Templates"
      back={`/t/${tenant}/agents`}
      description="Agents to start from. They run without changes, also with the built-in model echo."
    >
      <TemplateList />
      {chosen && (
        <TemplateDialog
          key={chosen.name}
          named={chosen}
          mayCreate={mayCreate}
          onCreated={(agent) =>
            void navigate({
              to: "/t/$tenant/agents/$agent/try",
              params: { tenant, agent },
              search: { template: chosen.name },
            })
          }
          onClose={() => void navigate({ search: {}, replace: true })}
        />
      )}
    </Page>
  );
};
