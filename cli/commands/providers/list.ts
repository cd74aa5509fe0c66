import { unwrapBody } from "../../../client/client.ts";
import type { LlmProvider } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { limit: number | undefined };

/** Runs `wharf providers list`. */
export const listProviders = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/llm-providers", { params: { path: { tenant }, query } }),
      ),
    input.limit,
    io,
  );
  printList(io, input, { items, none: "No providers found.", heading, toRow });
};

const heading = ["ID", "NAME", "TYPE", "DEFAULT MODEL", "URL OR REGION", "MODIFIED"];

const toRow = (provider: LlmProvider): string[] => [
  provider.id,
  provider.displayName,
  provider.type,
  provider.defaultModel ?? "none",
  provider.baseUrl ?? provider.region ?? "default",
  provider.type === "echo" ? "built-in" : showTime(provider.modifiedAt),
];
