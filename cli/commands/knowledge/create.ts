import { unwrapBody } from "../../../client/client.ts";
import type { CreateAssetBody } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import { usage } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { readParameters } from "../../knowledge/read-parameters.ts";
import { printJson, printMessage } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  asset: string;
  displayName: string | undefined;
  type: string | undefined;
  parameter: readonly string[];
  parametersFile: string | undefined;
  refresh: NonNullable<CreateAssetBody["refresh"]> | undefined;
  embedding: string | undefined;
};

/** Runs `wharf knowledge create`. */
export const createAsset = async (input: Input, io: Io): Promise<void> => {
  const { asset: id, displayName = id, type = "upload", refresh } = input;
  const parameters = await readParameters(input, io);
  const embedding = parseEmbedding(input.embedding);
  const { client, tenant } = await openSession(input, io);
  const body = { id, displayName, type, parameters, ...(refresh && { refresh }), ...embedding };
  const asset = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/assets", { params: { path: { tenant } }, body }),
  );
  if (input.json) return printJson(io, asset);
  const next = type === "upload" ? "upload" : "sync";
  printMessage(io, `Created ${asset.id}. Next: wharf knowledge ${next} ${asset.id}`);
};

/** A model's id may contain slashes, a provider's cannot. */
const parseEmbedding = (text: string | undefined): Pick<CreateAssetBody, "embedding"> => {
  if (text === undefined) return {};
  const at = text.indexOf("/");
  const [providerId, model] = [text.slice(0, at), text.slice(at + 1)];
  if (at >= 1 && model !== "") return { embedding: { providerId, model } };
  throw usage("--embedding must be provider/model, such as openai/text-embedding-3-small.");
};
