import { unwrapBody } from "../../../client/client.ts";
import type { Asset } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import { type ExitCode, exitCodes } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { followAsset } from "../../knowledge/follow-asset.ts";
import { printJson, printMessage } from "../../output.ts";
import { progressOn } from "../../progress.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { asset: string; wait: boolean };

/** Runs `wharf knowledge sync`. */
export const syncAsset = async (input: Input, io: Io): Promise<ExitCode> => {
  const session = await openSession(input, io);
  const { client, tenant } = session;
  const started = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/assets/{asset}:sync", {
      params: { path: { tenant, asset: input.asset } },
    }),
  );
  if (!input.wait) {
    if (input.json) printJson(io, started);
    else printMessage(io, `Started the sync of ${started.id}.`);
    return exitCodes.done;
  }
  const progress = progressOn(io);
  let asset = started;
  try {
    for await (const read of followAsset(session, started.id)) {
      asset = read;
      progress.show(`Syncing… ${formatProgress(asset)}`);
    }
  } finally {
    progress.clear();
  }
  if (input.json) printJson(io, asset);
  printMessage(io, `${asset.status}: ${asset.error ?? formatProgress(asset)}`);
  return asset.status === "Failed" ? exitCodes.failed : exitCodes.done;
};

const formatProgress = ({ progress }: Asset): string => {
  const { documentsSeen, documentsIndexed, documentsRemoved, tokens } = progress;
  const seen = `${documentsSeen} ${documentsSeen === 1 ? "document" : "documents"}`;
  return `${seen} read, ${documentsIndexed} indexed, ${documentsRemoved} removed, ${tokens} tokens embedded`;
};
