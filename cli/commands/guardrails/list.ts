import { unwrapBody } from "../../../client/client.ts";
import type { Guardrail } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { limit: number | undefined };

/** Runs `wharf guardrails list`. */
export const listGuardrails = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/guardrails", { params: { path: { tenant }, query } }),
      ),
    input.limit,
    io,
  );
  printList(io, input, { items, none: "No guardrails found.", heading, toRow });
};

const heading = ["ID", "NAME", "REVISION", "CHECKS", "MODIFIED"];

const toRow = ({ id, displayName, revision, checks, modifiedAt }: Guardrail): string[] => [
  id,
  displayName,
  String(revision),
  checks.map((check) => check.id).join(", "),
  showTime(modifiedAt),
];
