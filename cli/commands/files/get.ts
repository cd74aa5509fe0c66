import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { id: string };

/** Runs `wharf files get`. */
export const showFile = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const path = { tenant, file: input.id };
  const file = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/files/{file}", { params: { path } }),
  );
  if (input.json) return printJson(io, file);
  printFields(io, [
    ["Id", file.id],
    ["Name", file.name],
    ["Media type", file.mediaType],
    ["Bytes", String(file.bytes)],
    ["SHA-256", file.sha256],
    ["Created", showTime(file.createdAt)],
    ["Expires", showTime(file.expiresAt)],
  ]);
};
