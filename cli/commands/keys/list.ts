import { unwrapBody } from "../../../client/client.ts";
import type { ApiKey } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { includeRevoked: boolean; limit: number | undefined };

/** Runs `wharf keys list`. */
export const listKeys = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const shown = input.includeRevoked ? { includeRevoked: "true" as const } : {};
  const items = await listAll(
    (page) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/apiKeys", {
          params: { path: { tenant }, query: { ...shown, ...page } },
        }),
      ),
    input.limit,
    io,
  );
  printList(io, input, { items, none: "No keys found.", heading, toRow });
};

const heading = ["ID", "NAME", "STATUS", "KEY", "LAST USED", "EXPIRES", "CREATED", "SCOPES"];

const toRow = (key: ApiKey): string[] => [
  key.id,
  key.name,
  key.status,
  `${key.prefix}_live_…${key.last4}`,
  showTime(key.lastUsedAt),
  showTime(key.expiresAt),
  showTime(key.createdAt),
  key.scopes.join(", "),
];
