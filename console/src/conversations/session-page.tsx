import { Anchor, Button, Text } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Session } from "../../../client/openapi.ts";
import { useMayAt } from "../agent-queries/use-may-at.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { DeleteDialog } from "../shared/delete-dialog.tsx";
import { EmptyState } from "../shared/empty-state.tsx";
import { Facts } from "../shared/facts.tsx";
import { formatCount } from "../shared/format.ts";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { Conversation } from "./conversation.tsx";
import { toWholeTurns } from "./turns.ts";
import { useAgentSession, useDeleteSession, useSessionMessages } from "./use-sessions.ts";

const route = getRouteApi("/t/$tenant/sessions/$agent/$session");

/** Shows a session as a conversation, and deletes it. */
export const SessionPage = () => {
  const { tenant, agent, session: id } = route.useParams();
  const { data: session, error } = useAgentSession(agent, id);
  const list = useSessionMessages(agent, id, session);
  const { messages, hasEarlier } = list;
  const turns = useMemo(() => toWholeTurns(messages ?? [], hasEarlier), [messages, hasEarlier]);
  // A user who may only run agents can read their own sessions, but not list them.
  const back = useMay()("executions:read") ? `/agents/${encodeURIComponent(agent)}/sessions` : "";
  if (!session) return error ? <ReadProblem error={error} /> : <PageLoader />;
  return (
    <Page
      title={`Session ${id}`}
      back={`/t/${tenant}${back}`}
      description={<SessionFacts session={session} />}
      actions={<SessionActions session={session} />}
    >
      <ReadProblem error={error ?? list.error} />
      {list.isLoading && <PageLoader />}
      {turns.length > 0 && <Conversation agent={agent} turns={turns} list={list} />}
      {messages && turns.length === 0 && session.executionId === null && (
        <EmptyState title="No turns">
          A succeeded execution adds a turn. The executions of this session failed, or its turns
          have expired.
        </EmptyState>
      )}
      <RunningTurn session={session} />
    </Page>
  );
};

const SessionFacts = ({ session }: { session: Session }) => {
  const tenant = useTenant();
  const { status, agentId, endUserId, turnCount, createdAt, modifiedAt, expiresAt } = session;
  const mayOpenAgent = useMay()("revisions:read");
  return (
    <Facts>
      <StatusBadge status={status} kind={status === "Busy" ? "busy" : "idle"} />
      {mayOpenAgent ? (
        <Anchor component={Link} to={`/t/${tenant}/agents/${encodeURIComponent(agentId)}/flow`}>
          {agentId}
        </Anchor>
      ) : (
        <span>{agentId}</span>
      )}
      {endUserId !== null && <span>End user {endUserId}</span>}
      <span>{turnCount === 1 ? "1 turn" : `${formatCount(turnCount)} turns`}</span>
      <span>
        Created <Time value={createdAt} />
      </span>
      <span>
        Last activity <Time value={modifiedAt} />
      </span>
      {expiresAt !== null && (
        <span>
          Expires <Time value={expiresAt} />
        </span>
      )}
    </Facts>
  );
};

/** The execution that has the session, and how many wait for it. */
const RunningTurn = ({ session }: { session: Session }) => {
  const tenant = useTenant();
  const { agentId, executionId, queuedCount } = session;
  if (executionId === null) return null;
  return (
    <Text role="note">
      <Anchor
        component={Link}
        underline="always"
        to={`/t/${tenant}/executions/${encodeURIComponent(agentId)}/${executionId}`}
      >
        An execution
      </Anchor>{" "}
      is running in this session{" "}
      {queuedCount > 0 && `, and ${formatCount(queuedCount)} more are queued`}. Its turn appears
      here after it has succeeded.
    </Text>
  );
};

const SessionActions = ({ session: { agentId: agent, id } }: { session: Session }) => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const mayAt = useMayAt(agent);
  const mayTry = useMay()("revisions:read");
  const [isDeleting, setIsDeleting] = useState(false);
  const { mutateAsync: remove } = useDeleteSession(agent, id);
  if (!mayAt("agents:execute")) return null;
  const leave = () =>
    navigate({ to: "/t/$tenant/agents/$agent/sessions", params: { tenant, agent } });
  return (
    <>
      {mayTry && (
        <Button
          variant="default"
          onClick={() =>
            void navigate({
              to: "/t/$tenant/agents/$agent/try",
              params: { tenant, agent },
              search: { session: id },
            })
          }
        >
          Continue in Try it
        </Button>
      )}
      <Button variant="default" onClick={() => setIsDeleting(true)}>
        Delete session
      </Button>
      {isDeleting && (
        <DeleteDialog
          name="the session"
          onDelete={() => remove()}
          onDeleted={leave}
          onClose={() => setIsDeleting(false)}
        >
          Its turns are deleted immediately and permanently. The next request with the same ID
          starts an empty session. Executions and their traces are kept until they expire.
        </DeleteDialog>
      )}
    </>
  );
};
