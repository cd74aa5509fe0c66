import { Anchor, Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ExecutionDetail } from "../../../client/openapi.ts";
import { AddToDatasetDialog } from "../datasets/add-to-dataset-dialog.tsx";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { Bubble } from "../shared/bubble.tsx";
import { CallView } from "../shared/call-view.tsx";
import { Facts } from "../shared/facts.tsx";
import { FileList } from "../shared/files/file-list.tsx";
import { formatDuration, formatKnownCost } from "../shared/format.ts";
import { Markdown } from "../shared/markdown.tsx";
import { Time } from "../shared/time.tsx";
import classes from "./conversation.module.css";
import type { Turn, TurnEntry } from "./turns.ts";

type TurnViewProps = {
  agent: string;
  turn: Turn;
  /** Its execution; undefined until it is read, or where it is not kept any more. */
  execution: ExecutionDetail | undefined;
};

/** Shows a turn: what the user and the agent wrote, the calls of tools, time and cost. */
export const TurnView = ({ agent, turn, execution }: TurnViewProps) => {
  const { executionId, entries } = turn;
  return (
    <li className={classes.turn}>
      {executionId === null && (
        <Text size="sm" fw={600}>
          Summary of earlier turns
        </Text>
      )}
      {entries
        .filter(({ kind }) => executionId !== null || kind !== "user")
        .map((entry, at) => (
          <Entry key={`${entry.kind} ${at + 1}`} entry={entry} />
        ))}
      {executionId !== null && (
        <TurnFoot agent={agent} turn={turn} executionId={executionId} execution={execution} />
      )}
    </li>
  );
};

const Entry = ({ entry }: { entry: TurnEntry }) => {
  if (entry.kind !== "call") {
    return (
      <Bubble from={entry.kind}>
        {entry.kind === "agent" ? <Markdown text={entry.text} /> : entry.text}
        <FileList label="Files of the message" files={entry.files ?? []} />
      </Bubble>
    );
  }
  return <CallView name={entry.name} sent={entry.arguments} result={entry.result} />;
};

type TurnFootProps = TurnViewProps & { executionId: string };

const TurnFoot = ({ agent, turn, executionId, execution }: TurnFootProps) => {
  const tenant = useTenant();
  const mayAdd = useMay()("datasets:write");
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Text component="div" size="sm" c="dimmed" className={classes.foot ?? ""}>
      <Facts>
        <Time value={turn.endedAt} isExact />
        {execution?.endTime && (
          <span>{formatDuration(execution.endTime - execution.startTime)}</span>
        )}
        {execution && <span>{formatKnownCost(execution.totalCost, execution.priced)}</span>}
        <Anchor
          component={Link}
          to={`/t/${tenant}/executions/${encodeURIComponent(agent)}/${executionId}`}
        >
          Open execution
        </Anchor>
      </Facts>
      {mayAdd && (
        <Button size="compact-xs" variant="default" onClick={() => setIsAdding(true)}>
          Add to dataset
        </Button>
      )}
      {isAdding && (
        <AddToDatasetDialog
          agent={agent}
          executionIds={[executionId]}
          onClose={() => setIsAdding(false)}
        />
      )}
    </Text>
  );
};
