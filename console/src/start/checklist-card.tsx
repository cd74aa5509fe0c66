import { Anchor, Group, Paper, Progress, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTenant } from "../session/tenant.ts";
import { StatusBadge } from "../shared/status-badge.tsx";
import type { ChecklistStep } from "./checklist.ts";
import classes from "./checklist-card.module.css";

/** Shows the first steps and which of them are done. */
export const ChecklistCard = ({ steps }: { steps: readonly ChecklistStep[] }) => {
  const tenant = useTenant();
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Paper withBorder p="md" component="section" aria-label="First steps">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            First steps
          </Title>
          <Text size="sm" c="dimmed">
            {done} of {steps.length} done
          </Text>
        </Group>
        <Progress value={(done / steps.length) * 100} aria-label="Steps that are done" />
        <Stack component="ol" gap="xs" className={classes.list ?? ""}>
          {steps.map(({ label, hint, isDone, address, action }) => (
            <Group
              key={label}
              component="li"
              gap="md"
              wrap="nowrap"
              align="flex-start"
              justify="space-between"
            >
              <div>
                <Text fw={600}>{label}</Text>
                {!isDone && (
                  <Text size="sm" c="dimmed">
                    {hint}
                  </Text>
                )}
              </div>
              {isDone ? (
                <StatusBadge status="Done" kind="good" />
              ) : (
                <Anchor
                  component={Link}
                  to={`/t/${tenant}/${address}`}
                  size="sm"
                  style={{ whiteSpace: "nowrap" }}
                >
                  {action}
                </Anchor>
              )}
            </Group>
          ))}
        </Stack>
      </Stack>
    </Paper>
  );
};
