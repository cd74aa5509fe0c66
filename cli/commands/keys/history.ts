import { unwrapBody } from "../../../client/client.ts";
import type { AuditEvent } from "../../../client/openapi.ts";
import { parseKeyId } from "../../address.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { id: string; limit: number | undefined };

/** Runs `wharf keys history`. */
export const listKeyHistory = async (input: Input, io: Io): Promise<void> => {
  const apiKey = parseKeyId(input.id);
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/apiKeys/{apiKey}/auditEvents", {
          params: { path: { tenant, apiKey }, query },
        }),
      ),
    input.limit,
    io,
  );
  printList(io, input, { items, none: "No events found.", heading, toRow });
};

const heading = ["WHEN", "EVENT", "BY", "FROM", "REQUEST", "CHANGE"];

const toRow = (event: AuditEvent): string[] => [
  showTime(event.createdAt),
  event.type,
  event.actor.email ?? `${event.actor.type} ${event.actor.id}`,
  event.requestContext.sourceIp,
  event.requestContext.requestId,
  formatChange(event),
];

/** Formats a change: `+` for an added scope, `-` for a removed one, then the expiry. */
const formatChange = (event: AuditEvent): string => {
  const before = event.previousScopes ?? [];
  const after = event.newScopes ?? before;
  const added = after.filter((scope) => !before.includes(scope)).map((scope) => `+${scope}`);
  const removed = before.filter((scope) => !after.includes(scope)).map((scope) => `-${scope}`);
  const expiry =
    event.previousExpiresAt === event.newExpiresAt
      ? []
      : [`expires ${showTime(event.newExpiresAt)}`];
  return [...added, ...removed, ...expiry].join(", ");
};
