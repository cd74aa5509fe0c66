import { Anchor, Group, Stack, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { Page } from "../shared/page.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { TemplateList } from "../templates/template-list.tsx";
import { buildChecklist } from "./checklist.ts";
import { ChecklistCard } from "./checklist-card.tsx";
import { Overview } from "./overview.tsx";
import { useTenantState } from "./use-home.ts";

const shownTemplates = 3;

/** The start of a tenant: first steps, what runs, failed and waits, what it costs, and templates. */
export const HomePage = () => {
  const tenant = useTenant();
  const may = useMay();
  const { state, isLoading, error } = useTenantState();
  const steps = buildChecklist(state);
  const isOpen = !isLoading && steps.some(({ isDone }) => !isDone);
  return (
    <Page title="Home">
      <Stack gap="lg">
        <ReadProblem error={error} />
        {isOpen && may("agents:write") && <ChecklistCard steps={steps} />}
        <Overview />
        {may("agents:write") && (
          <Stack gap="sm">
            <Group justify="space-between">
              <Title order={2} size="h4">
                Start from a template
              </Title>
              <Anchor component={Link} to={`/t/${tenant}/templates`}>
                All templates
              </Anchor>
            </Group>
            <TemplateList limit={shownTemplates} />
          </Stack>
        )}
      </Stack>
    </Page>
  );
};
