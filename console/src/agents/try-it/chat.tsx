import { Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import classes from "../../conversations/conversation.module.css";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { SessionAnchor } from "../../shared/session-anchor.tsx";
import { ChatComposer } from "./chat-composer.tsx";
import { ChatTurnView } from "./chat-turn-view.tsx";
import { RunGraph } from "./run-graph.tsx";
import type { TriedProps } from "./tried.ts";
import { useChat } from "./use-chat.ts";
import { isRunning } from "./use-run.ts";

const route = getRouteApi("/t/$tenant/agents/$agent/try");

/** Talks to a revision that has sessions: one session over several messages. */
export const Chat = ({ children, ...tried }: TriedProps) => {
  const { agent, revision } = tried;
  const { session: given } = route.useSearch();
  const navigate = route.useNavigate();
  const chat = useChat({ ...tried, session: given });
  const { turns, run, session } = chat;
  const isBusy = run !== undefined && isRunning(run);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (turns.length > 0) end.current?.scrollIntoView({ block: "nearest" });
  }, [turns.length]);
  const begin = (): void => {
    chat.begin();
    if (given !== undefined) void navigate({ search: {}, replace: true });
  };
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Stack>
        {children}
        <Group justify="space-between">
          <SessionLink agent={agent.id} session={session} isContinued={given !== undefined} />
          <Button
            variant="default"
            size="compact-sm"
            disabled={session === undefined && turns.length === 0}
            onClick={begin}
          >
            New conversation
          </Button>
        </Group>
        {turns.length > 0 && (
          <ol className={classes.turns} aria-label="Conversation" aria-live="polite">
            {turns.map((turn, at) => (
              <ChatTurnView
                key={turn.run.executionId ?? `turn ${at + 1}`}
                agent={agent.id}
                turn={turn}
              />
            ))}
          </ol>
        )}
        {run?.executionId === undefined && <ProblemAlert error={run?.error} shownAt={["/input"]} />}
        <ChatComposer
          fields={revision.parametersMetadata}
          texts={tried.texts}
          onChange={tried.onTexts}
          error={run?.error}
          isBusy={isBusy}
          onSend={() => void chat.send()}
        />
        <div ref={end} />
      </Stack>
      <RunGraph agent={agent.id} revision={revision} run={run} />
    </SimpleGrid>
  );
};

type SessionLinkProps = { agent: string; session: string | undefined; isContinued: boolean };

const SessionLink = ({ agent, session, isContinued }: SessionLinkProps) => {
  if (session === undefined) {
    return (
      <Text size="sm" c="dimmed">
        The first message starts a session.
      </Text>
    );
  }
  return (
    <Text size="sm" style={{ overflowWrap: "anywhere" }} flex="1 1 200px" miw={0}>
      {isContinued ? "Continues the " : "In the "}
      <SessionAnchor agent={agent} session={session}>
        session {session}
      </SessionAnchor>
    </Text>
  );
};
