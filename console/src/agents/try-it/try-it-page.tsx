import { NativeSelect } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { Agent, ExecutionDetail } from "../../../../client/openapi.ts";
import { useAgent } from "../../agent-queries/use-agents.ts";
import { useMayAt, useRightsAt } from "../../agent-queries/use-may-at.ts";
import { useRevision } from "../../agent-queries/use-revisions.ts";
import { useExecution } from "../../executions/use-executions.ts";
import { isRecord } from "../../flow-graph/members.ts";
import { EmptyState } from "../../shared/empty-state.tsx";
import type { FormTexts } from "../../shared/form-from-schema.tsx";
import { PageLoader } from "../../shared/page-loader.tsx";
import { ReadProblem } from "../../shared/read-problem.tsx";
import { Chat } from "./chat.tsx";
import { RunForm } from "./run-form.tsx";

const route = getRouteApi("/t/$tenant/agents/$agent/try");

/** Runs the agent: in a conversation where its revision has sessions, else with a form for its inputs. */
export const TryItPage = () => {
  const { agent: id } = route.useParams();
  const { from, template } = route.useSearch();
  const agent = useAgent(id).data;
  const { mayAt, isKnown } = useRightsAt(id);
  if (!agent || !isKnown) return <PageLoader />;
  if (!mayAt("agents:execute") && !mayAt("agents:test")) {
    return (
      <EmptyState title="No permission to run this agent">
        It needs the scope agents:execute and, for collaborators, the role Editor. Ask an Owner.
      </EmptyState>
    );
  }
  if (agent.latestRevision === null) {
    return (
      <EmptyState title="No revisions yet">Save a revision in the tab “Flow” first.</EmptyState>
    );
  }
  if (template !== undefined) {
    return (
      <Suspense fallback={<PageLoader />}>
        <TemplateInput name={template}>
          {(input) => <TryIt agent={agent} input={input} />}
        </TemplateInput>
      </Suspense>
    );
  }
  return from === undefined ? <TryIt agent={agent} /> : <TryAgain agent={agent} from={from} />;
};

const TemplateInput = lazy(() =>
  import("../../templates/template-input.tsx").then(({ TemplateInput: component }) => ({
    default: component,
  })),
);

/** Starts with the input of another execution. */
const TryAgain = ({ agent, from }: { agent: Agent; from: string }) => {
  const { data, error } = useExecution(agent.id, from);
  if (data) return <TryIt agent={agent} input={data.input} />;
  return error ? <ReadProblem error={error} /> : <PageLoader />;
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
  const [shown, setShown] = useState(revision);
  const [texts, setTexts] = useState<FormTexts>(() => toTexts(input));
  const choices = [...new Set([deployedRevision, mayTest ? latestRevision : null])].filter(
    (choice) => choice !== null,
  );
  // The conversation continues while another revision is read.
  if (revision && revision !== shown) setShown(revision);
  const tried = revision ?? shown;
  if (!tried) return error ? <ReadProblem error={error} /> : <PageLoader />;
  const Tried = tried.useSession ? Chat : RunForm;
  const { agentRevision } = tried;
  return (
    <Tried
      agent={agent}
      revision={tried}
      testRevision={agentRevision === deployedRevision ? undefined : agentRevision}
      texts={texts}
      onTexts={setTexts}
    >
      <ReadProblem error={error} />
      {choices.length > 1 && (
        <NativeSelect
          label="Revision"
          value={String(number)}
          data={choices.map((choice) => ({
            value: String(choice),
            label: choice === deployedRevision ? `${choice}, deployed` : `${choice}, as a test`,
          }))}
          onChange={({ currentTarget }) => setNumber(Number(currentTarget.value))}
        />
      )}
    </Tried>
  );
};
