import { Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { Agent, Revision } from "../../../../client/openapi.ts";
import { useAgent } from "../../agent-queries/use-agents.ts";
import { useRevision } from "../../agent-queries/use-revisions.ts";
import { formatDraft } from "../../flow-graph/edit-flow.ts";
import { PageLoader } from "../../shared/page-loader.tsx";
import { ReadProblem } from "../../shared/read-problem.tsx";
import { compactDraft } from "./compact-draft.ts";
import { FlowEditor } from "./flow-editor.tsx";

const route = getRouteApi("/t/$tenant/agents/$agent/flow");

/** A first revision to start from. */
const emptyDraft = { comment: null, parametersMetadata: [], flow: { steps: [], edges: [] } };

/** The revision that is edited; its number is null for a first one. */
type Edited = {
  agent: string;
  /** The revision in the address. */
  address: number | undefined;
  number: number | null;
  /** Changes where another editor begins. */
  editor: number;
  /** The revision that the editor has saved, and continues with. */
  saved?: number;
};

/** Returns what is edited at an address. A newer revision of another user does not replace it. */
const toEdited = (
  before: Edited | undefined,
  { id: agent, latestRevision }: Agent,
  address: number | undefined,
): Edited => {
  const isSameAgent = before?.agent === agent;
  if (isSameAgent && before.address === address) return before;
  const isContinued = isSameAgent && address !== undefined && before.saved === address;
  const editor = (before?.editor ?? 0) + (isContinued ? 0 : 1);
  return { agent, address, number: address ?? latestRevision, editor };
};

/** Shows and edits the flow of a revision: the one in the address, or the latest. */
export const FlowPage = () => {
  const { agent: id } = route.useParams();
  const search = route.useSearch();
  const agent = useAgent(id).data;
  const [edited, setEdited] = useState<Edited>();
  const shown = agent && toEdited(edited, agent, search.revision);
  if (shown !== edited) setEdited(shown);
  const { data: revision, error } = useRevision(id, shown?.number ?? null);
  if (!agent || !shown) return <PageLoader />;
  if (shown.number !== null && !revision) {
    return error ? <ReadProblem error={error} /> : <PageLoader />;
  }
  return (
    <Stack>
      <ReadProblem error={error} />
      <FlowEditor
        key={shown.editor}
        agent={agent}
        revision={shown.number}
        initial={formatDraft(revision ? toContent(revision) : emptyDraft)}
        onSaved={(saved) => setEdited((before) => before && { ...before, saved })}
      />
    </Stack>
  );
};

const toContent = ({ agentId: _, agentRevision: __, ...content }: Revision) =>
  compactDraft(content);
