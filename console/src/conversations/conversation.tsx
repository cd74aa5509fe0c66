import { Button, Center, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { formatCount, formatKnownCost } from "../shared/format.ts";
import classes from "./conversation.module.css";
import { TurnView } from "./turn-view.tsx";
import { sumCosts, type Turn } from "./turns.ts";
import { useTurnExecutions } from "./use-sessions.ts";

/** Turns that are shown first, and with each further step. */
const turnsOfPage = 10;

/** Shows the latest turns of a session, oldest first, and earlier ones on request. */
export const Conversation = ({ agent, turns }: { agent: string; turns: readonly Turn[] }) => {
  const [count, setCount] = useState(turnsOfPage);
  const shown = turns.slice(-count);
  const ids = shown.flatMap(({ executionId }) => executionId ?? []);
  const executions = useTurnExecutions(agent, ids);
  const earlier = turns.length - shown.length;
  return (
    <Stack>
      {earlier > 0 && (
        <Center>
          <Button variant="default" onClick={() => setCount(count + turnsOfPage)}>
            Show {formatCount(Math.min(earlier, turnsOfPage))} earlier turns
          </Button>
        </Center>
      )}
      <ol className={classes.turns} aria-label="Turns">
        {shown.map((turn) => (
          <TurnView
            key={turn.executionId ?? "summary"}
            agent={agent}
            turn={turn}
            execution={executions.get(turn.executionId ?? "")}
          />
        ))}
      </ol>
      <ShownCost count={ids.length} isPart={earlier > 0} executions={executions} />
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
      {missing > 0 && `, without ${formatCount(missing)} of which no execution is kept`}
    </Text>
  );
};
