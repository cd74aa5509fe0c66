import { Checkbox, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import type { AgentBudget } from "../../../../client/openapi.ts";
import { FormDialog } from "../../shared/form-dialog.tsx";
import { fieldError } from "../../shared/problem.ts";
import { usePutBudget } from "./use-budget.ts";

type BudgetDialogProps = { agent: string; budget: AgentBudget | null; onClose: () => void };

const defaultThresholds = "80, 100";

const parseThresholds = (text: string): { percent: number }[] =>
  text
    .split(/[\s,;%]+/)
    .filter((percent) => percent !== "")
    .map((percent) => ({ percent: Number(percent) }));

/** Sets the monthly budget of an agent. */
export const BudgetDialog = ({ agent, budget, onClose }: BudgetDialogProps) => {
  const [amount, setAmount] = useState<string | number>(budget?.amount ?? "");
  const [thresholds, setThresholds] = useState(
    budget?.thresholdRules.map(({ percent }) => percent).join(", ") ?? defaultThresholds,
  );
  const [enforceLimit, setEnforceLimit] = useState(budget?.enforceLimit ?? false);
  const [allowUnpriced, setAllowUnpriced] = useState(budget?.allowUnpriced ?? false);
  const { mutate, error, isPending } = usePutBudget(agent);
  const thresholdRules = parseThresholds(thresholds);
  const body = { amount: Number(amount), thresholdRules, enforceLimit, allowUnpriced };
  return (
    <FormDialog
      title={budget ? "Edit budget" : "Set budget"}
      action="Save"
      error={error}
      shownAt={["/amount", "/thresholdRules"]}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    >
      <NumberInput
        label="Amount"
        description="US dollars per calendar month (UTC)"
        prefix="$"
        data-autofocus
        hideControls
        value={amount}
        onChange={setAmount}
        error={fieldError(error, "/amount")}
      />
      <TextInput
        label="Thresholds"
        description="Percentages of the amount; each sends one alert per month"
        value={thresholds}
        onChange={({ currentTarget }) => setThresholds(currentTarget.value)}
        error={fieldError(error, "/thresholdRules")}
      />
      <Checkbox
        label="Enforce limit"
        description="Executions are refused once the amount is used up."
        checked={enforceLimit}
        onChange={({ currentTarget }) => setEnforceLimit(currentTarget.checked)}
      />
      <Checkbox
        label="Allow unpriced models"
        description="Models without a price count as free. Otherwise an enforced budget refuses them."
        checked={allowUnpriced}
        onChange={({ currentTarget }) => setAllowUnpriced(currentTarget.checked)}
      />
    </FormDialog>
  );
};
