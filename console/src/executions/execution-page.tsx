import { Alert, Anchor, Button, SimpleGrid, Stack, Text } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import type { ExecutionDetail } from "../../../client/openapi.ts";
import { useMayAt } from "../agent-queries/use-may-at.ts";
import { useRevision } from "../agent-queries/use-revisions.ts";
import { ApprovalsToDecide } from "../approval-queries/approvals-to-decide.tsx";
import { AddToDatasetDialog } from "../datasets/add-to-dataset-dialog.tsx";
import { toFlowModel } from "../flow-graph/flow-model.ts";
import { isRecord } from "../flow-graph/members.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { Facts } from "../shared/facts.tsx";
import { formatCount, formatDuration, formatKnownCost } from "../shared/format.ts";
import { JsonView } from "../shared/json-view.tsx";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { SessionAnchor } from "../shared/session-anchor.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { Citations } from "./citations.tsx";
import { ExecutionGraph } from "./execution-graph.tsx";
import { OpenWaits } from "./open-waits.tsx";
import { ScoreSection } from "./scores/score-section.tsx";
import { SpanDetails } from "./span-details.tsx";
import { buildSpanTree, type Span } from "./spans.ts";
import { statusKinds, triggerNames } from "./status.ts";
import { isOpen, useCancelExecution, useExecution, useTrace } from "./use-executions.ts";
import { useSelectedSpan } from "./use-selected-span.ts";
import { useStartExecution } from "./use-start-execution.ts";
import { Waterfall } from "./waterfall.tsx";

const route = getRouteApi("/t/$tenant/executions/$agent/$executionRecord");

/** Shows an execution: its graph, the waterfall of its spans, input and output. */
export const ExecutionPage = () => {
  const { tenant, agent, executionRecord } = route.useParams();
  const { data: execution, error } = useExecution(agent, executionRecord);
  // A user who may only run agents can read their own executions, but not list them.
  const list = useMay()("executions:read") ? "/executions" : "";
  if (!execution) return error ? <ReadProblem error={error} /> : <PageLoader />;
  return (
    <Page
      title={`Execution of ${agent}`}
      back={`/t/${tenant}${list}?agent=${encodeURIComponent(agent)}`}
      description={<ExecutionFacts execution={execution} />}
      actions={
        <>
          <ExecutionActions execution={execution} />
          <AddToDataset execution={execution} />
        </>
      }
    >
      <ReadProblem error={error} />
      <Content execution={execution} />
    </Page>
  );
};

const ExecutionFacts = ({ execution }: { execution: ExecutionDetail }) => {
  const tenant = useTenant();
  const mayReadRevision = useMay()("revisions:read");
  const { status, startTime, endTime, trigger, agentId, agentRevision, session } = execution;
  return (
    <Facts>
      <StatusBadge status={status} kind={statusKinds[status]} />
      <Time value={startTime} isExact />
      {endTime !== null && <span>{formatDuration(endTime - startTime)}</span>}
      <span>{formatCount(execution.inputTokens + execution.outputTokens)} tokens</span>
      <span>{formatKnownCost(execution.totalCost, execution.priced)}</span>
      <span>{triggerNames[trigger.type] ?? trigger.type}</span>
      {session !== null && (
        <SessionAnchor agent={agentId} session={session.id}>
          Session {session.id}
        </SessionAnchor>
      )}
      {mayReadRevision ? (
        <Anchor
          component={Link}
          to={`/t/${tenant}/agents/${agentId}/flow?revision=${agentRevision}`}
        >
          Revision {agentRevision}
        </Anchor>
      ) : (
        <span>Revision {agentRevision}</span>
      )}
    </Facts>
  );
};

/** Adds the execution to a dataset, as an example. */
const AddToDataset = ({ execution }: { execution: ExecutionDetail }) => {
  const mayAdd = useMay()("datasets:write");
  const [isOpened, setIsOpened] = useState(false);
  if (!mayAdd || isOpen(execution.status)) return null;
  return (
    <>
      <Button variant="default" onClick={() => setIsOpened(true)}>
        Add to dataset
      </Button>
      {isOpened && (
        <AddToDatasetDialog
          agent={execution.agentId}
          executionIds={[execution.id]}
          onClose={() => setIsOpened(false)}
        />
      )}
    </>
  );
};

const ExecutionActions = ({ execution }: { execution: ExecutionDetail }) => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const mayRun = useMayAt(execution.agentId)("agents:execute");
  const cancel = useCancelExecution(execution.agentId, execution.id);
  const again = useStartExecution();
  const mayTry = useMay()("revisions:read");
  if (!mayRun) return null;
  const { agentId: agent, input } = execution;
  return (
    <>
      <ProblemAlert error={cancel.error ?? again.error} />
      {isOpen(execution.status) && (
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
      <Button
        variant="default"
        loading={again.isPending}
        onClick={() => again.mutate({ agent, input: isRecord(input) ? input : {} })}
      >
        Run again
      </Button>
      {mayTry && (
        <Button
          variant="default"
          onClick={() =>
            void navigate({
              to: "/t/$tenant/agents/$agent/try",
              params: { tenant, agent },
              search: { from: execution.id },
            })
          }
        >
          Open in Try it
        </Button>
      )}
    </>
  );
};

const Content = ({ execution }: { execution: ExecutionDetail }) => {
  const { agentId, agentRevision, id, input, output, citations, error, status, waits } = execution;
  const may = useMay();
  const hasEnded = !isOpen(status);
  const hasOutput = hasEnded && !error;
  const trace = useTrace(agentId, id, hasEnded && may("traces:read"));
  const revision = useRevision(agentId, may("revisions:read") ? agentRevision : null);
  const flow = useMemo(() => toFlowModel(revision.data?.flow), [revision.data]);
  const tree = useMemo(() => buildSpanTree(trace.data?.spans ?? []), [trace.data]);
  // The failed step is selected first.
  const failed = tree.roots.findLast((span) => span.status === "Failed" && !span.handled);
  const { span: linked } = route.useSearch();
  const navigate = route.useNavigate();
  // The address of a span can be shared.
  const setLink = useCallback(
    (span: Span | undefined) =>
      void navigate({ search: { span: span?.id }, replace: true, resetScroll: false }),
    [navigate],
  );
  const selection = useSelectedSpan(tree, tree.find(linked) ?? failed, setLink);
  const { span: selected, select } = selection;
  return (
    <Stack>
      {status === "Waiting" && <ApprovalsToDecide executionId={id} />}
      <OpenWaits waits={waits} />
      {error && (
        <Alert color="red" variant="outline" title={error.title}>
          {error.detail}
          {error.step !== null && <Text size="sm">Step: {error.step}</Text>}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: hasOutput ? 2 : 1 }}>
        <JsonView label="Input" value={input} />
        {hasOutput && <JsonView label="Output" value={output} />}
      </SimpleGrid>
      <Citations label="Sources found" citations={citations} hasPassages />
      {may("traces:read") && <ScoreSection execution={execution} />}
      {flow.steps.length > 0 && (
        <ExecutionGraph flow={flow} tree={tree} selection={selection} isWide />
      )}
      <ReadProblem error={trace.error} />
      {!hasEnded && <Text role="status">The trace appears when the execution has ended.</Text>}
      {tree.roots.length > 0 && (
        <Waterfall
          tree={tree}
          startTime={execution.startTime}
          endTime={execution.endTime ?? Date.now()}
          selected={selected?.id}
          onSelect={select}
        />
      )}
      {selected && flow.steps.length === 0 && (
        <SpanDetails tree={tree} span={selected} onSelect={select} />
      )}
    </Stack>
  );
};
