import { MultiSelect, NumberInput, TagsInput } from "@mantine/core";
import { useState } from "react";
import type { OnlineEvaluation, Scorer } from "../../../../client/openapi.ts";
import { useAgentRights } from "../../agent-queries/use-may-at.ts";
import { useScorers } from "../../experiments/scorers/use-scorers.ts";
import { useMay } from "../../session/permissions.ts";
import { FormDialog } from "../../shared/form-dialog.tsx";
import { fieldError } from "../../shared/problem.ts";
import { useLoadAll } from "../../shared/use-load-all.ts";
import { usePutOnlineEvaluation } from "./use-online-evaluation.ts";

type OnlineEvaluationDialogProps = {
  agent: string;
  evaluation: OnlineEvaluation | null;
  onClose: () => void;
};

/** Sets which executions of an agent are scored, and by which scorers. */
export const OnlineEvaluationDialog = (props: OnlineEvaluationDialogProps) => {
  const { agent, evaluation, onClose } = props;
  const [scorers, setScorers] = useState(evaluation?.scorers ?? []);
  const [sampleRate, setSampleRate] = useState<string | number>(evaluation?.sampleRate ?? 0.1);
  const [limit, setLimit] = useState<string | number>(evaluation?.monthlyLimit ?? "");
  const { mutate, error, isPending } = usePutOnlineEvaluation(agent);
  const body = {
    scorers,
    // The API refuses a value that is not a number.
    sampleRate: sampleRate === "" ? Number.NaN : Number(sampleRate),
    ...(limit !== "" && { monthlyLimit: Number(limit) }),
  };
  const field = { value: scorers, onChange: setScorers, error: fieldError(error, "/scorers") };
  return (
    <FormDialog
      title={evaluation ? "Edit online evaluation" : "Set online evaluation"}
      action="Save"
      error={error}
      shownAt={["/scorers", "/sampleRate", "/monthlyLimit"]}
      isPending={isPending}
      onSubmit={() => mutate(body, { onSuccess: onClose })}
      onClose={onClose}
    >
      {useMay()("datasets:read") ? (
        <ScorerField {...field} />
      ) : (
        <TagsInput label="Scorers" description="IDs. Press Enter after each." {...field} />
      )}
      <NumberInput
        label="Sample rate"
        description="Share of the succeeded executions, from 0 to 1: 0.1 is every tenth. Tests are not scored."
        step={0.1}
        value={sampleRate}
        onChange={setSampleRate}
        error={fieldError(error, "/sampleRate")}
      />
      <NumberInput
        label="Monthly limit"
        description="Maximum number of scored executions in a calendar month (UTC)"
        placeholder="1,000"
        thousandSeparator=","
        allowDecimal={false}
        value={limit}
        onChange={setLimit}
        error={fieldError(error, "/monthlyLimit")}
      />
    </FormDialog>
  );
};

type ScorerFieldProps = {
  value: string[];
  onChange: (scorers: string[]) => void;
  error: string | undefined;
};

const ScorerField = ({ value, onChange, error }: ScorerFieldProps) => {
  const { items, isLoading } = useLoadAll(useScorers());
  const rightsFor = useAgentRights([...new Set(items.flatMap(({ agentId }) => agentId ?? []))]);
  const isOffered = ({ type, agentId }: Scorer): boolean =>
    type !== "Exact" && (agentId === null || rightsFor([agentId]).mayAt("agents:execute"));
  const offered = items.filter(isOffered);
  return (
    <MultiSelect
      label="Scorers"
      description={
        offered.length === 0 && !isLoading
          ? "Create a scorer first, in the tab Scorers of the experiments."
          : "All of them rate every sampled execution. Scorers that compare with an expected output are not listed, because an execution has none."
      }
      data-autofocus
      openOnFocus={false}
      searchable
      maxValues={10}
      value={value}
      data={[
        ...offered.map(({ id, displayName }) => ({ value: id, label: displayName })),
        ...value
          .filter((id) => !offered.some((scorer) => scorer.id === id))
          .map((id) => ({
            value: id,
            label: items.find((item) => item.id === id)?.displayName ?? id,
          })),
      ]}
      onChange={onChange}
      error={error}
    />
  );
};
