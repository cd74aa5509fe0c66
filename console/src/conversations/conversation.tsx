import { Button, Center, Stack, Text } from "@mantine/core";
import { formatCount, formatKnownCost } from "../shared/format.ts";
import classes from "./conversation.module.css";
import { TurnView } from "./turn-view.tsx";
import { sumCosts, type Turn } from "./turns.ts";
import { type useSessionMessages, useTurnExecutions } from "./use-sessions.ts";

type ConversationProps = {
  agent: string;
  turns: readonly Turn[];
  list: Pick<
    ReturnType<typeof useSessionMessages>,
    "hasEarlier" | "isLoadingEarlier" | "loadEarlier"
  >;
};

/** Shows the latest turns of a session, oldest first, and earlier ones on request. */
export const Conversation = ({ agent, turns, list }: ConversationProps) => {
  const { hasEarlier, isLoadingEarlier, loadEarlier } = list;
  const ids = turns.flatMap(({ executionId }) => executionId ?? []);
  const executions = useTurnExecutions(agent, ids);
  return (
    <Stack>
      {hasEarlier && (
        <Center>
          <Button variant="default" loading={isLoadingEarlier} onClick={loadEarlier}>
            Earlier messages
          </Button>
        </Center>
      )}
      <ol className={classes.turns} aria-label="Turns">
        {turns.map((turn) => (
          <TurnView
            key={turn.executionId ?? "summary"}
            agent={agent}
            turn={turn}
            execution={executions.get(turn.executionId ?? "")}
          />
        ))}
      </ol>
      <ShownCost count={ids.length} isPart={hasEarlier} executions={executions} />
    </Stack>
  );
};

type ShownCostProps = {
  count: number;
  isPart: boolean;
  executions: ReturnType<typeof useTurnExecutions>;
};

/** The cost of the shown turns; of all those that are kept, once they are shown. */
const ShownCost = ({ count, isPart, executions }: ShownCostProps) => {
  if (executions.size === 0) return null;
  const { totalCost, priced } = sumCosts(executions.values());
  const missing = count - executions.size;
  return (
    <Text size="sm">
      {isPart ? `Cost of the last ${formatCount(count)} turns: ` : "Cost of the session's turns: "}
      <b>{formatKnownCost(totalCost, priced)}</b>
      {missing > 0 && `, without ${formatCount(missing)} with expired executions`}
    </Text>
  );
};
