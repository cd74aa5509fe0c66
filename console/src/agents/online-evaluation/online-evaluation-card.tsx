import { Badge, Group, Progress, Stack, Text } from "@mantine/core";
import type { OnlineEvaluation } from "../../../../client/openapi.ts";
import { useMayAt } from "../../agent-queries/use-may-at.ts";
import { useScorers } from "../../experiments/scorers/use-scorers.ts";
import { formatShare } from "../../experiments/summary/score-format.ts";
import { useMay } from "../../session/permissions.ts";
import { formatCount } from "../../shared/format.ts";
import { useLoadAll } from "../../shared/use-load-all.ts";
import { SettingCard } from "../setting-card.tsx";
import { EvaluationFailures } from "./evaluation-failures.tsx";
import { OnlineEvaluationDialog } from "./online-evaluation-dialog.tsx";
import { useDeleteOnlineEvaluation, useOnlineEvaluation } from "./use-online-evaluation.ts";

/** Shows, sets and removes which of an agent's executions are scored in the background. */
export const OnlineEvaluationCard = ({ agent }: { agent: string }) => {
  const { data: evaluation, error } = useOnlineEvaluation(agent);
  const { mutateAsync: remove } = useDeleteOnlineEvaluation(agent);
  return (
    <SettingCard
      title="Online evaluation"
      setting={evaluation}
      error={error}
      mayWrite={useMayAt(agent)("agents:write")}
      none="Executions are not scored automatically. Set an online evaluation to score a sample of them. The mean scores are shown by day."
      show={(set) => <EvaluationState evaluation={set} />}
      dialog={(onClose) => (
        <OnlineEvaluationDialog agent={agent} evaluation={evaluation ?? null} onClose={onClose} />
      )}
      removal="No further executions are scored. Existing scores are kept."
      onRemove={() => remove()}
    />
  );
};

const EvaluationState = ({ evaluation }: { evaluation: OnlineEvaluation }) => {
  const { sampleRate, monthlyLimit, evaluatedThisMonth } = evaluation;
  const isOver = evaluatedThisMonth >= monthlyLimit;
  return (
    <Stack gap="xs">
      <Text>
        <b>{formatShare(sampleRate)}</b> of the succeeded executions are scored;{" "}
        <b>{formatCount(evaluatedThisMonth)}</b> of at most {formatCount(monthlyLimit)} this month.
        {isOver && " The limit is reached. Scoring continues next month."}
      </Text>
      <Progress
        value={Math.min(100, (100 * evaluatedThisMonth) / monthlyLimit)}
        color={isOver ? "orange" : "teal"}
        aria-label="Executions scored this month"
      />
      {useMay()("datasets:read") ? (
        <NamedScorers evaluation={evaluation} />
      ) : (
        <ScorerState evaluation={evaluation} nameFor={(id) => id} />
      )}
    </Stack>
  );
};

const NamedScorers = ({ evaluation }: { evaluation: OnlineEvaluation }) => {
  const { items, isLoading, hasMore, error } = useLoadAll(useScorers());
  const isRead = !isLoading && !hasMore && !error;
  const nameFor = (id: string): string => {
    const scorer = items.find((item) => item.id === id);
    return scorer?.displayName ?? (isRead ? `${id}: deleted, returns no score` : id);
  };
  return <ScorerState evaluation={evaluation} nameFor={nameFor} />;
};

type ScorerStateProps = { evaluation: OnlineEvaluation; nameFor: (id: string) => string };

const ScorerState = ({ evaluation, nameFor }: ScorerStateProps) => (
  <>
    <Group component="ul" aria-label="Rated by" gap="xs" m={0} p={0} style={{ listStyle: "none" }}>
      {evaluation.scorers.map((id) => (
        <Badge key={id} component="li" variant="default" tt="none" fw={500}>
          {nameFor(id)}
        </Badge>
      ))}
    </Group>
    <EvaluationFailures evaluation={evaluation} nameFor={nameFor} />
  </>
);
