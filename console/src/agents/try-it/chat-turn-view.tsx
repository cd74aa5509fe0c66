import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import classes from "../../conversations/conversation.module.css";
import { Citations } from "../../executions/citations.tsx";
import { useExecution } from "../../executions/use-executions.ts";
import { useTenant } from "../../session/tenant.ts";
import { Bubble } from "../../shared/bubble.tsx";
import { Facts } from "../../shared/facts.tsx";
import { FileList } from "../../shared/files/file-list.tsx";
import { findStored } from "../../shared/files/stored-value.ts";
import { formatDuration, formatKnownCost } from "../../shared/format.ts";
import { Markdown } from "../../shared/markdown.tsx";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { RunStatus, Waiting } from "./run-result.tsx";
import type { ChatTurn } from "./use-chat.ts";
import { isRunning, type Run, readLiveText } from "./use-run.ts";

type ChatTurnProps = { agent: string; turn: ChatTurn };

/** Shows a message of the user and the response so far, what the run waits for, its error and its cost. */
export const ChatTurnView = ({ agent, turn: { said, files, run } }: ChatTurnProps) => {
  const { status, executionId, until, citations = [], error } = run;
  const isBusy = isRunning(run);
  const response = showResponse(run);
  return (
    <li className={classes.turn}>
      <Bubble from="user">
        {said}
        <FileList label="Files of the message" files={files} />
      </Bubble>
      {(response !== undefined || isBusy) && (
        <Bubble from="agent" isBusy={isBusy}>
          {response ?? "…"}
        </Bubble>
      )}
      {status === "Succeeded" && (
        <FileList label="Files of the response" files={findStored(run.output)} />
      )}
      {status === "Waiting" && executionId !== undefined && (
        <Waiting executionId={executionId} until={until} />
      )}
      {error instanceof Error && <ProblemAlert error={error} />}
      {status === "Succeeded" && (
        <Citations label="Sources found" citations={citations} hasPassages />
      )}
      <Text component="div" size="sm" c="dimmed">
        <Facts>
          <RunStatus status={status} />
          {executionId !== undefined && !isBusy && (
            <RunCost agent={agent} executionId={executionId} />
          )}
          {executionId !== undefined && <ExecutionLink agent={agent} executionId={executionId} />}
        </Facts>
      </Text>
    </li>
  );
};

/** Shows the output of a run, or what there is of it; undefined for nothing. */
const showResponse = ({ status, output, states }: Run): ReactNode => {
  if (status !== "Succeeded") {
    const text = readLiveText(states);
    return text === undefined ? undefined : <Markdown text={text} />;
  }
  if (output === null || output === undefined || output === "") return "(no text)";
  return typeof output === "string" ? <Markdown text={output} /> : JSON.stringify(output, null, 2);
};

type RunProps = { agent: string; executionId: string };

const ExecutionLink = ({ agent, executionId }: RunProps) => {
  const tenant = useTenant();
  return (
    <Anchor
      component={Link}
      to={`/t/${tenant}/executions/${encodeURIComponent(agent)}/${executionId}`}
    >
      Open execution
    </Anchor>
  );
};

const RunCost = ({ agent, executionId }: RunProps) => {
  const { data } = useExecution(agent, executionId);
  if (!data) return null;
  const { startTime, endTime, totalCost, priced } = data;
  const cost = formatKnownCost(totalCost, priced);
  return <span>{endTime === null ? cost : `${formatDuration(endTime - startTime)}, ${cost}`}</span>;
};
