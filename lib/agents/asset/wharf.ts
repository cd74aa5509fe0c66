import * as z from "zod";
import { isTextFile, readTextFile } from "../../knowledge/sources/reading/text-file.ts";
import { defineSource, type Source, type SourceContext } from "../../knowledge/sources/source.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import type { AgentAssets } from "./load-agent-assets.ts";

/** The assets that an agent names: in this revision, or else in the deployed, or else in the latest one. */
export type LoadAssets = (revision: number | undefined) => Promise<AgentAssets>;

type Asset = AgentAssets[number];

const Parameters = z.object({
  assetIds: z.string().optional().meta({
    displayName: "Assets",
    description: "Ids, with commas between; without them, all that the revision names.",
  }),
  revision: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, "must be a revision number")
    .optional()
    .meta({
      displayName: "Revision",
      description: "Of the agent; without it, the deployed one, or else the latest.",
    }),
});

/**
 * The assets that a revision of the agent names, read where their links lead, without credentials. One that is
 * no text, or has no link, is a document without tokens.
 */
export const createWharfSource = ({ loadAssets }: { loadAssets: LoadAssets }): Source =>
  defineSource({
    key: "wharf",
    displayName: "Wharf",
    parameters: Parameters,
    async *read({ assetIds, revision }, context) {
      const assets = await loadAssets(revision === undefined ? undefined : Number(revision));
      for (const asset of chosen(assets, assetIds)) {
        yield { fileName: asset.displayName ?? asset.id, text: textOf(asset, context) };
      }
    },
  });

const chosen = (assets: readonly Asset[], ids: string | undefined): readonly Asset[] => {
  const wanted = (ids ?? "").split(",").map((id) => id.trim());
  const names = new Set(wanted.filter((id) => id !== ""));
  if (names.size === 0) return assets;
  const missing = [...names].filter((name) => !assets.some(({ id }) => id === name));
  if (missing.length === 0) return assets.filter(({ id }) => names.has(id));
  const detail = `the agent's revision names no asset ${missing.join(", ").slice(0, 500)}`;
  throw validationFailed([{ pointer: "/assetIds", detail }]);
};

async function* textOf(asset: Asset, context: SourceContext): AsyncGenerator<string> {
  const { id, link, contentType: mediaType } = asset;
  const fileName = asset.displayName ?? id;
  if (!link || !isTextFile(mediaType, fileName)) return;
  try {
    if (!parseAddress(link)) throw new OutgoingError("bad-url", "The link is not an address.");
    yield* readTextFile(context, { url: link, mediaType, fileName, headers: {} });
  } catch (error) {
    if (!(error instanceof OutgoingError) || !isOfLink(error)) throw error;
    throw validationFailed([{ pointer: "/assetIds", detail: `asset ${id}: ${error.message}` }]);
  }
}

const isOfLink = ({ kind }: OutgoingError): boolean =>
  kind === "bad-url" || kind === "blocked-address";
