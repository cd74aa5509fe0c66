import { Button, Group, Menu, Paper, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import type { Agent } from "../../../../client/openapi.ts";
import { ProblemError } from "../../../../client/problem-error.ts";
import { PageLoader } from "../../app/page-loader.tsx";
import { useTenant } from "../../app/tenant.ts";
import { useMay } from "../../session/permissions.ts";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { DeployDialog } from "../revision/deploy-dialog.tsx";
import { useCreateRevision } from "../use-revisions.ts";
import {
  addStep,
  connectSteps,
  disconnectSteps,
  formatDraft,
  parseDraft,
  removeStep,
  stepTypes,
} from "./edit-flow.ts";
import { toFlowModel } from "./flow-model.ts";

const FlowGraph = lazy(() =>
  import("./flow-graph.tsx").then(({ FlowGraph: component }) => ({ default: component })),
);
const JsonEditor = lazy(() =>
  import("../../shared/json-editor.tsx").then(({ JsonEditor: component }) => ({
    default: component,
  })),
);

type FlowEditorProps = {
  agent: Agent;
  /** Number of the shown revision; null before the first one. */
  revision: number | null;
  /** JSON of the revision. */
  initial: string;
};

/** Edits a flow by its graph and by its JSON, side by side, and saves it as a new revision. */
export const FlowEditor = ({ agent, revision, initial }: FlowEditorProps) => {
  const mayWrite = useMay()("revisions:write");
  const [text, setText] = useState(initial);
  const [selected, setSelected] = useState<string>();
  const save = useCreateRevision(agent.id);
  const draft = useMemo(() => parseDraft(text), [text]);
  const flow = useMemo(() => toFlowModel(draft?.flow), [draft]);
  const change = (next: Record<string, unknown>): void => setText(formatDraft(next));
  const editing =
    mayWrite && draft
      ? {
          connect: (source: string, target: string) => change(connectSteps(draft, source, target)),
          disconnect: (source: string, target: string) =>
            change(disconnectSteps(draft, source, target)),
          remove: (stepId: string) => change(removeStep(draft, stepId)),
        }
      : undefined;
  const add = (type: string): void => {
    if (!draft) return;
    const added = addStep(draft, type, selected);
    change(added.draft);
    setSelected(added.id);
  };
  const problems = useMemo(
    () => (save.error instanceof ProblemError ? save.error.fields : []),
    [save.error],
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">{revision === null ? "No revision yet" : `Revision ${revision}`}</Text>
        {mayWrite && (
          <Group gap="xs">
            <AddStep onAdd={add} isDisabled={!draft} />
            {selected !== undefined && editing && (
              <Button
                variant="default"
                onClick={() => {
                  editing.remove(selected);
                  setSelected(undefined);
                }}
              >
                Remove step
              </Button>
            )}
          </Group>
        )}
      </Group>
      <ProblemAlert error={save.error} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Paper withBorder>
          <Suspense fallback={<PageLoader />}>
            <FlowGraph flow={flow} selected={selected} onSelect={setSelected} editing={editing} />
          </Suspense>
        </Paper>
        <Suspense fallback={<PageLoader />}>
          <JsonEditor
            label="Revision as JSON"
            value={text}
            onChange={mayWrite ? setText : undefined}
            problems={problems}
          />
        </Suspense>
      </SimpleGrid>
      {!draft && <Text role="alert">The text is not valid JSON: the graph shows nothing.</Text>}
      <SaveAndDeploy
        agent={agent}
        revision={revision}
        draft={draft}
        save={save}
        hasChanges={text !== initial}
      />
    </Stack>
  );
};

const AddStep = ({ onAdd, isDisabled }: { onAdd: (type: string) => void; isDisabled: boolean }) => (
  <Menu>
    <Menu.Target>
      <Button variant="default" disabled={isDisabled}>
        Add step
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {stepTypes.map((type) => (
        <Menu.Item key={type} onClick={() => onAdd(type)}>
          {type}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

type SaveAndDeployProps = Omit<FlowEditorProps, "initial"> & {
  draft: Record<string, unknown> | undefined;
  save: ReturnType<typeof useCreateRevision>;
  hasChanges: boolean;
};

const SaveAndDeploy = ({ agent, revision, draft, save, hasChanges }: SaveAndDeployProps) => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const may = useMay();
  const [comment, setComment] = useState("");
  const [isDeploying, setIsDeploying] = useState(false);
  const send = (): void => {
    if (!draft) return;
    save.mutate(
      { ...draft, comment: comment === "" ? null : comment },
      {
        onSuccess: ({ agentRevision }) =>
          void navigate({
            to: "/t/$tenant/agents/$agent/flow",
            params: { tenant, agent: agent.id },
            search: { revision: agentRevision },
          }),
      },
    );
  };
  const mayDeploy =
    may("revisions:deploy") && revision !== null && revision !== agent.deployedRevision;
  return (
    <Group align="flex-end">
      {may("revisions:write") && (
        <>
          <TextInput
            label="Comment"
            flex={1}
            maw={480}
            value={comment}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
          />
          <Button onClick={send} loading={save.isPending} disabled={!draft || !hasChanges}>
            Save revision
          </Button>
        </>
      )}
      {mayDeploy && (
        <Button
          variant={hasChanges ? "default" : "filled"}
          disabled={hasChanges}
          onClick={() => setIsDeploying(true)}
        >
          Deploy
        </Button>
      )}
      {isDeploying && revision !== null && (
        <DeployDialog
          agent={agent.id}
          revision={revision}
          deployed={agent.deployedRevision}
          onClose={() => setIsDeploying(false)}
        />
      )}
    </Group>
  );
};
