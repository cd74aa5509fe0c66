import {
  Anchor,
  Button,
  Fieldset,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Text,
} from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Agent, ExecutionDetail, Revision } from "../../../client/openapi.ts";
import { useAgent } from "../agent-queries/use-agents.ts";
import { useMayAt, useRightsAt } from "../agent-queries/use-may-at.ts";
import { useRevision } from "../agent-queries/use-revisions.ts";
import { listApprovers } from "../approval-queries/list-approvers.ts";
import { usePendingApprovals } from "../approval-queries/use-approvals.ts";
import { DecideForm } from "../approvals/decide-form.tsx";
import { Citations } from "../executions/citations.tsx";
import { ExecutionGraph } from "../executions/execution-graph.tsx";
import { buildSpanTree } from "../executions/spans.ts";
import { statusKinds } from "../executions/status.ts";
import { useExecution, useTrace } from "../executions/use-executions.ts";
import { useSelectedSpan } from "../executions/use-selected-span.ts";
import { toFlowModel } from "../flow-graph/flow-model.ts";
import { isRecord } from "../flow-graph/members.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { FormFromSchema, type FormTexts, parseValues } from "../shared/form-from-schema.tsx";
import { JsonView } from "../shared/json-view.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { isRunning, type Run, readLiveOutput, useRun, withItems } from "./use-run.ts";

const route = getRouteApi("/t/$tenant/agents/$agent/try");

/** Runs the agent with an input, and shows its steps as they run. */
export const TryItPage = () => {
  const { agent: id } = route.useParams();
  const { from } = route.useSearch();
  const agent = useAgent(id).data;
  const { mayAt, isKnown } = useRightsAt(id);
  if (!agent || !isKnown) return <PageLoader />;
  if (!mayAt("agents:execute") && !mayAt("agents:test")) {
    return (
      <EmptyState title="You may not run this agent">
        It needs the scope agents:execute and, for collaborators, the role Editor. Ask an Owner.
      </EmptyState>
    );
  }
  if (agent.latestRevision === null) {
    return (
      <EmptyState title="Nothing to run yet">Save a revision in the tab “Flow” first.</EmptyState>
    );
  }
  return from === undefined ? <TryIt agent={agent} /> : <TryAgain agent={agent} from={from} />;
};

/** Starts with the input of another execution. */
const TryAgain = ({ agent, from }: { agent: Agent; from: string }) => {
  const { data, error } = useExecution(agent.id, from);
  if (data) return <TryIt agent={agent} input={data.input} />;
  return error ? <ProblemAlert error={error} /> : <PageLoader />;
};

const toTexts = (input: ExecutionDetail["input"]): FormTexts =>
  isRecord(input)
    ? Object.fromEntries(
        Object.entries(input).map(([name, value]) => [
          name,
          typeof value === "string" ? value : JSON.stringify(value),
        ]),
      )
    : {};

type TryItProps = { agent: Agent; input?: ExecutionDetail["input"] };

const TryIt = ({ agent, input }: TryItProps) => {
  const mayTest = useMayAt(agent.id)("agents:test");
  const { deployedRevision, latestRevision } = agent;
  const [number, setNumber] = useState(deployedRevision ?? latestRevision);
  const { data: revision, error } = useRevision(agent.id, number);
  const [texts, setTexts] = useState<FormTexts>(() => toTexts(input));
  const { run, start } = useRun(agent.id);
  const choices = [...new Set([deployedRevision, mayTest ? latestRevision : null])].filter(
    (choice) => choice !== null,
  );
  if (!revision) return error ? <ProblemAlert error={error} /> : <PageLoader />;
  const isDeployed = number === deployedRevision;
  const submit = (): Promise<void> =>
    start(
      parseValues(revision.parametersMetadata, texts),
      isDeployed ? undefined : (number ?? undefined),
    );
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Stack>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <Stack>
            {choices.length > 1 && (
              <NativeSelect
                label="Revision"
                value={String(number)}
                data={choices.map((choice) => ({
                  value: String(choice),
                  label:
                    choice === deployedRevision ? `${choice}, deployed` : `${choice}, as a test`,
                }))}
                onChange={({ currentTarget }) => setNumber(Number(currentTarget.value))}
              />
            )}
            <FormFromSchema
              fields={revision.parametersMetadata}
              texts={texts}
              onChange={setTexts}
              error={run?.error}
              pointer="/input"
            />
            <Group>
              <Button type="submit" loading={run !== undefined && isRunning(run)}>
                Run
              </Button>
            </Group>
          </Stack>
        </form>
        {run && <Result run={run} agent={agent.id} />}
      </Stack>
      <Graph agent={agent.id} revision={revision} run={run} />
    </SimpleGrid>
  );
};

const Result = ({ run, agent }: { run: Run; agent: string }) => {
  const tenant = useTenant();
  const { status, executionId, until, output, citations = [], error } = run;
  return (
    <Stack aria-live="polite">
      <Group>
        <StatusBadge status={status} kind={status === "Starting" ? "busy" : statusKinds[status]} />
        {executionId !== undefined && (
          <Anchor component={Link} to={`/t/${tenant}/executions/${agent}/${executionId}`}>
            Open the execution
          </Anchor>
        )}
      </Group>
      {status === "Running" && <Text size="sm">The agent is running.</Text>}
      {status === "Waiting" && executionId !== undefined && (
        <Waiting executionId={executionId} until={until} />
      )}
      {error instanceof Error && <ProblemAlert error={error} shownAt={["/input"]} />}
      {status === "Succeeded" && <JsonView label="Output" value={output} />}
      {status === "Succeeded" && (
        <Citations label="Sources found" citations={citations} hasPassages />
      )}
    </Stack>
  );
};

/** Shows what a run waits for; the user decides its approvals here. */
const Waiting = ({ executionId, until }: { executionId: string; until: Run["until"] }) => {
  const tenant = useTenant();
  const { data: approvals } = usePendingApprovals(executionId);
  const isPending = (asked: string): boolean => approvals?.some(({ id }) => id === asked) === true;
  return (
    <>
      <Text size="sm">
        The execution waits
        {until?.approvals.every(isPending) && (
          <>
            {" "}
            until <Time value={until.time} isExact /> at the latest
          </>
        )}
        , and then continues here.
      </Text>
      {approvals?.map((approval) => (
        <Fieldset key={approval.id} legend={approval.title} p="sm">
          <Stack>
            {approval.message !== null && (
              <Text style={{ whiteSpace: "pre-wrap" }}>{approval.message}</Text>
            )}
            <Text size="sm">
              <Anchor
                component={Link}
                underline="always"
                to={`/t/${tenant}/approvals/${approval.id}`}
              >
                Open the approval
              </Anchor>
              . Asked: {listApprovers(approval)}, since <Time value={approval.createdAt} isExact />
            </Text>
            <DecideForm approval={approval} />
          </Stack>
        </Fieldset>
      ))}
    </>
  );
};

type GraphProps = { agent: string; revision: Revision; run: Run | undefined };

const Graph = ({ agent, revision, run }: GraphProps) => {
  const mayReadTraces = useMay()("traces:read");
  const flow = useMemo(() => toFlowModel(revision.flow), [revision]);
  const hasEnded = run?.executionId !== undefined && !isRunning(run);
  const trace = useTrace(agent, run?.executionId ?? "", hasEnded && mayReadTraces);
  const tree = useMemo(() => buildSpanTree(trace.data?.spans ?? []), [trace.data]);
  const states = useMemo(() => withItems(run?.states), [run?.states]);
  const selection = useSelectedSpan(tree);
  const { step } = selection;
  return (
    <ExecutionGraph flow={flow} tree={tree} states={states} selection={selection}>
      {step !== undefined && run?.states.has(step) && (
        <JsonView label={`Output of ${step}`} value={readLiveOutput(run.states, step)} />
      )}
    </ExecutionGraph>
  );
};
