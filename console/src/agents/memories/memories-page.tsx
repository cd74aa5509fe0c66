import { Anchor, Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useAgent } from "../../agent-queries/use-agents.ts";
import { useRevision } from "../../agent-queries/use-revisions.ts";
import { useMay } from "../../session/permissions.ts";
import { useTenant } from "../../session/tenant.ts";
import { EmptyState } from "../../shared/empty-state.tsx";
import { ReadProblem } from "../../shared/read-problem.tsx";
import { listNamespaces } from "./list-namespaces.ts";
import { MemoryTable } from "./memory-table.tsx";

const route = getRouteApi("/t/$tenant/agents/$agent/memories");

/** Lists the facts that an agent remembers in a namespace, and deletes them. */
export const MemoriesPage = () => {
  const { agent } = route.useParams();
  const { namespace } = route.useSearch();
  return (
    <Stack>
      <Text c="dimmed">Facts that the agent remembers between executions, by namespace.</Text>
      <NamespaceField key={namespace ?? ""} namespace={namespace} />
      {namespace === undefined ? (
        <NoNamespace agent={agent} />
      ) : (
        <MemoryTable key={namespace} agent={agent} namespace={namespace} />
      )}
    </Stack>
  );
};

const NamespaceField = ({ namespace }: { namespace: string | undefined }) => {
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(namespace ?? "");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate({ search: typed === "" ? {} : { namespace: typed } });
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Namespace"
          maxLength={128}
          flex="0 1 320px"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {" "}
          Show memories{" "}
        </Button>
      </Group>
    </form>
  );
};

/** Says which namespaces there are: those that the Prompts of the deployed revision name, else of the latest one. */
const NoNamespace = ({ agent }: { agent: string }) => {
  const tenant = useTenant();
  const mayRead = useMay()("revisions:read");
  const { data } = useAgent(agent);
  const number = data ? (data.deployedRevision ?? data.latestRevision) : null;
  const { data: revision, error } = useRevision(agent, mayRead ? number : null);
  if (error) return <ReadProblem error={error} />;
  const namespaces = listNamespaces(revision?.flow);
  if (namespaces.length === 0) {
    return (
      <EmptyState
        title="Choose a namespace"
        action={
          mayRead && (
            <Anchor component={Link} to={`/t/${tenant}/agents/${encodeURIComponent(agent)}/flow`}>
              Open flow
            </Anchor>
          )
        }
      >
        Enter a namespace, such as the ID of a user. No step of the revision stores facts: add{" "}
        <Code>memory</Code> to a Prompt step.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Choose a namespace">
      Enter the value of a namespace. Revision {number} stores facts in{" "}
      {namespaces.map((text, at) => (
        <span key={text}>
          {at > 0 && ", "}
          <Code style={{ overflowWrap: "anywhere" }}>{text}</Code>
        </span>
      ))}
      .
    </EmptyState>
  );
};
