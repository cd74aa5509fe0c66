import { Badge, Button, Group, Paper, Progress, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { AgentBudget } from "../../../../client/openapi.ts";
import { ConfirmDialog } from "../../shared/confirm-dialog.tsx";
import { formatCost } from "../../shared/format.ts";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { Time } from "../../shared/time.tsx";
import { useMayAt } from "../collaborators/use-may-at.ts";
import { BudgetDialog } from "./budget-dialog.tsx";
import { useBudget, useDeleteBudget } from "./use-budget.ts";

/** Shows, sets and removes the monthly budget of an agent. */
export const BudgetCard = ({ agent }: { agent: string }) => {
  const { data: budget, error } = useBudget(agent);
  const { mutateAsync: remove } = useDeleteBudget(agent);
  const mayWrite = useMayAt(agent)("agents:write", "Owner");
  const [open, setOpen] = useState<"edit" | "remove">();
  const close = (): void => setOpen(undefined);
  if (error) return <ProblemAlert error={error} />;
  if (budget === undefined) return <Skeleton height={120} role="status" aria-label="Loading" />;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Budget
        </Title>
        {mayWrite && (
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={() => setOpen("edit")}>
              {budget ? "Edit budget" : "Set budget"}
            </Button>
            {budget && (
              <Button size="compact-sm" variant="default" onClick={() => setOpen("remove")}>
                Remove budget
              </Button>
            )}
          </Group>
        )}
      </Group>
      {budget ? (
        <BudgetState budget={budget} />
      ) : (
        <Text c="dimmed">
          There is no monthly limit. Set a budget to get alerts, or to refuse executions beyond it.
        </Text>
      )}
      {open === "edit" && <BudgetDialog agent={agent} budget={budget} onClose={close} />}
      {open === "remove" && (
        <ConfirmDialog
          title="Remove the budget?"
          action="Remove"
          isDangerous
          onConfirm={() => remove()}
          onClose={close}
        >
          <Text>The agent has no monthly limit then, and no alerts about its cost.</Text>
        </ConfirmDialog>
      )}
    </Paper>
  );
};

const colorOf = (percent: number): string => {
  if (percent >= 100) return "red";
  return percent >= 80 ? "orange" : "teal";
};

const BudgetState = ({ budget }: { budget: AgentBudget }) => {
  const { amount, currentMonthlyCost, usagePercent, enforceLimit, allowUnpriced } = budget;
  const percent = Math.round(usagePercent * 10) / 10;
  return (
    <Stack gap="xs">
      <Text>
        <b>{formatCost(currentMonthlyCost)}</b> of {formatCost(amount)} used this month ({percent}{" "}
        %). The next month starts <Time value={budget.periodEnd} />.
      </Text>
      <Progress
        value={Math.min(100, percent)}
        color={colorOf(percent)}
        aria-label="Used part of the budget"
      />
      <Group gap="xs">
        {budget.thresholdRules.map(({ percent: threshold }) => (
          <Badge key={threshold} variant="default" tt="none" fw={500}>
            Alert at {threshold} %{usagePercent >= threshold && ": reached"}
          </Badge>
        ))}
        <Badge variant="default" tt="none" fw={500}>
          {enforceLimit ? "Limit enforced" : "Limit not enforced"}
        </Badge>
        {enforceLimit && (
          <Badge variant="default" tt="none" fw={500}>
            {allowUnpriced ? "Unpriced models allowed" : "Unpriced models refused"}
          </Badge>
        )}
      </Group>
    </Stack>
  );
};
