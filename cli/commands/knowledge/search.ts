import { unwrapBody } from "../../../client/client.ts";
import type { Passage } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { cutTo, printable } from "../../printable.ts";
import { openSession } from "../../session.ts";
import { createStyle } from "../../style.ts";

type Input = GlobalInput & {
  query: string;
  asset: readonly string[];
  document: string | undefined;
  limit: number | undefined;
};

/** Runs `wharf knowledge search`. */
export const searchAssets = async (input: Input, io: Io): Promise<void> => {
  const { query, asset, document, limit } = input;
  const { client, tenant } = await openSession(input, io);
  const found = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/assets:search", {
      params: { path: { tenant } },
      body: {
        query,
        ...(asset.length > 0 && { assetIds: [...asset] }),
        ...(document !== undefined && { filter: { documentName: document } }),
        ...(limit !== undefined && { topK: limit }),
      },
    }),
  );
  if (input.json) return printJson(io, found);
  if (found.items.length === 0) return printMessage(io, "No passages found.");
  io.stdout.write(found.items.map((passage) => showPassage(passage, io)).join("\n"));
};

/** Columns of a passage's text that are shown; --json has all. */
const shownColumns = 400;

const showPassage = ({ assetId, documentName, link, score, snippet }: Passage, io: Io): string => {
  const { bold, dim } = createStyle(io.stdout, io);
  const lines = [
    `${bold(printable(documentName))}  ${dim(`${printable(assetId)}, score ${score.toFixed(2)}`)}`,
    ...(link === null ? [] : [dim(printable(link))]),
    cutTo(printable(snippet.replaceAll(/\s+/g, " ").trim()), shownColumns),
  ];
  return `${lines.join("\n")}\n`;
};
