import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { printable } from "../../printable.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { approval: string; expires: number | undefined };

/** Runs `wharf approvals link`. */
export const linkApproval = async (input: Input, io: Io): Promise<void> => {
  const { approval, expires } = input;
  const { client, tenant } = await openSession(input, io);
  const link = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/approvals/{approval}:link", {
      params: { path: { tenant, approval } },
      body: { ...(expires !== undefined && { expiresInSeconds: expires }) },
    }),
  );
  if (input.json) return printJson(io, link);
  io.stdout.write(`${printable(link.url ?? "")}\n`);
  const until = new Date(link.expiresAt).toISOString();
  printMessage(io, `Whoever has the link decides in your name, until ${until}.`);
};
