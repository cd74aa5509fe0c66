import { Badge, Group, Progress, Stack, Text } from "@mantine/core";
import type { AgentBudget } from "../../../../client/openapi.ts";
import { useMayAt } from "../../agent-queries/use-may-at.ts";
import { formatCost } from "../../shared/format.ts";
import { Time } from "../../shared/time.tsx";
import { SettingCard } from "../setting-card.tsx";
import { BudgetDialog } from "./budget-dialog.tsx";
import { useBudget, useDeleteBudget } from "./use-budget.ts";

/** Shows, sets and removes the monthly budget of an agent. */
export const BudgetCard = ({ agent }: { agent: string }) => {
  const { data: budget, error } = useBudget(agent);
  const { mutateAsync: remove } = useDeleteBudget(agent);
  return (
    <SettingCard
      title="Budget"
      setting={budget}
      error={error}
      mayWrite={useMayAt(agent)("agents:write", "Owner")}
      none="There is no monthly limit. Set a budget to get alerts, or to refuse executions beyond it."
      show={(set) => <BudgetState budget={set} />}
      dialog={(onClose) => <BudgetDialog agent={agent} budget={budget ?? null} onClose={onClose} />}
      removal="Without a budget, the agent has no monthly limit and no alerts about its cost."
      onRemove={() => remove()}
    />
  );
};

const selectColor = (percent: number): string => {
  if (percent >= 100) return "red";
  return percent >= 80 ? "orange" : "teal";
};

const BudgetState = ({ budget }: { budget: AgentBudget }) => {
  const { amount, currentMonthlyCost, usagePercent, enforceLimit, allowUnpriced } = budget;
  const percent = Math.round(usagePercent * 10) / 10;
  return (
    <Stack gap="xs">
      <Text>
        <b>{formatCost(currentMonthlyCost)}</b> of {formatCost(amount)} used this month ({percent}
        %). The next month starts <Time value={budget.periodEnd} />.
      </Text>
      <Progress
        value={Math.min(100, percent)}
        color={selectColor(percent)}
        aria-label="Used part of the budget"
      />
      <Group gap="xs">
        {budget.thresholdRules.map(({ percent: threshold }) => (
          <Badge key={threshold} variant="default" tt="none" fw={500}>
            Alert at {threshold}%{usagePercent >= threshold && ": reached"}
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
