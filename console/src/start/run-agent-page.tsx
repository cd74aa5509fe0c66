import { Button, Group, Stack, TextInput } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useStartExecution } from "../executions/use-start-execution.ts";
import { isRecord } from "../flow-graph/members.ts";
import { JsonField } from "../shared/json-field.tsx";
import { Page } from "../shared/page.tsx";
import { refusedAt } from "../shared/problem.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";

const route = getRouteApi("/t/$tenant/");

/** Runs an agent by its ID, for users who may run agents but not see them. */
export const RunAgentPage = () => {
  const { agent: first = "" } = route.useSearch();
  const [agent, setAgent] = useState(first);
  const [text, setText] = useState("{}");
  const [problems, setProblems] = useState<{ agent?: string; input?: string }>({});
  const { mutate, error, isPending } = useStartExecution();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const input = readObject(text);
    setProblems({
      ...(agent === "" && { agent: "Enter the ID of an agent." }),
      ...(input === undefined && { input: "This is not a JSON object." }),
    });
    if (agent !== "" && input !== undefined) mutate({ agent, input });
  };
  return (
    <Page title="Run an agent" description="Ask the owner of the agent for its ID and its inputs.">
      <form onSubmit={submit} noValidate>
        <Stack maw={640}>
          <TextInput
            label="Agent ID"
            value={agent}
            onChange={({ currentTarget }) => setAgent(currentTarget.value)}
            error={problems.agent}
          />
          <JsonField
            label="Input"
            description="A JSON object with a member for each input."
            text={text}
            onChange={setText}
            error={problems.input}
            problems={refusedAt(error, "/input")}
          />
          <ProblemAlert error={error} shownAt={["/input"]} />
          <Group>
            <Button type="submit" loading={isPending}>
              Run
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
};

const readObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
