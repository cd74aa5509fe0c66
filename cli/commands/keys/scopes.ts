import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printTable } from "../../output.ts";
import { openSession } from "../../session.ts";

/** Runs `wharf keys scopes`. */
export const listKeyScopes = async (input: GlobalInput, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const catalog = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/apiKeys/scopes", { params: { path: { tenant } } }),
  );
  if (input.json) return printJson(io, catalog);
  printTable(
    io,
    ["SCOPE", "DESCRIPTION"],
    catalog.scopes.map(({ scope, description }) => [scope, description]),
  );
  io.stdout.write("\n");
  printTable(
    io,
    ["PRESET", "SCOPES"],
    catalog.presets.map((preset) => [preset.name, preset.scopes.join(", ")]),
  );
};
