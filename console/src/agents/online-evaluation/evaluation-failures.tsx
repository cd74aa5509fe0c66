import { Alert, Anchor, List, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { OnlineEvaluation } from "../../../../client/openapi.ts";
import { useMay } from "../../session/permissions.ts";
import { useTenant } from "../../session/tenant.ts";
import { formatCount } from "../../shared/format.ts";
import { Time } from "../../shared/time.tsx";

type EvaluationFailuresProps = {
  evaluation: OnlineEvaluation;
  nameFor: (scorer: string) => string;
};

/** Shows the scorers that gave no score to executions of this month, and why the last one got none. */
export const EvaluationFailures = ({ evaluation, nameFor }: EvaluationFailuresProps) => {
  const tenant = useTenant();
  const mayRead = useMay()("executions:read");
  const { agentId, failures } = evaluation;
  if (failures.length === 0) return null;
  return (
    <Alert color="red" variant="outline" title="Executions without a score">
      <List size="sm" listStyleType="none" spacing="xs">
        {failures.map(({ scorer, failedThisMonth, lastFailedAt, executionId, detail }) => (
          <List.Item key={scorer}>
            <b>{nameFor(scorer)}</b>: {formatCount(failedThisMonth)} this month, last{" "}
            <Time value={lastFailedAt} />.{" "}
            {mayRead && (
              <Anchor
                component={Link}
                underline="always"
                to={`/t/${tenant}/executions/${encodeURIComponent(agentId)}/${executionId}`}
              >
                Open execution
              </Anchor>
            )}
            {detail !== null && (
              <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                {detail}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
};
