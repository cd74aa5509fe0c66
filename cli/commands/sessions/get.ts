import { unwrapBody } from "../../../client/client.ts";
import type { SessionMessage } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printFields, printJson, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { agent: string; session: string; limit: number | undefined };

/** Runs `wharf sessions get`. */
export const getSession = async (input: Input, io: Io): Promise<void> => {
  const { agent, session: id, limit = 200 } = input;
  const { client, tenant } = await openSession(input, io);
  const path = { tenant, agent, session: id };
  const session = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/agents/{agent}/sessions/{session}", { params: { path } }),
  );
  const messages = await listAll(
    (page) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/agents/{agent}/sessions/{session}/messages", {
          params: { path, query: page },
        }),
      ),
    limit,
    io,
  );
  if (input.json) return printJson(io, { session, messages });
  printFields(io, [
    ["ID", session.id],
    ["Status", session.status],
    ["End user", session.endUserId ?? ""],
    ["Turns", String(session.turnCount)],
    ["Began", showTime(session.createdAt)],
    ["Changed", showTime(session.modifiedAt)],
    ["Expires", showTime(session.expiresAt)],
    ...messages.flatMap(toFields),
  ]);
};

const toFields = ({
  role,
  text,
  files,
  toolCalls,
  results,
}: SessionMessage): [string, string][] => [
  ...(text === null || text === "" ? [] : [toField(role, text)]),
  ...files.map(({ id, name }): [string, string] => ["file", `${name} ${id}`]),
  ...toolCalls.map((call): [string, string] => [
    "call",
    `${call.name} ${JSON.stringify(call.arguments)}`,
  ]),
  ...results.map((result): [string, string] => [
    "result",
    `${result.name} ${JSON.stringify(result.output)}`,
  ]),
];

const toField = (name: string, value: string): [string, string] => [name, value];
