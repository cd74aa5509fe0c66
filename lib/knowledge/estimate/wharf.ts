import * as z from "zod";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { createSources } from "../../vendors/registry/create-sources.ts";
import { isTextFile, readTextFile } from "../../vendors/shared/source/text-file.ts";
import { defineSource, type SourceContext, type SourceSettings } from "../../vendors/source.ts";
import type { AssetSource } from "../asset/asset-sources.ts";
import { assetBounds } from "../asset/check-assets.ts";
import type { TenantAsset } from "./find-tenant-assets.ts";

/** An asset that a revision of an agent references. */
export type AgentAsset = Omit<TenantAsset, "documents">;

/**
 * Loads the assets of the given revision, else of the deployed one, else of the latest; of the given agent, else of
 * the one of the call.
 */
type LoadAssets = (
  revision: number | undefined,
  agentId: string | undefined,
) => Promise<readonly AgentAsset[]>;

/** Checks that the agent of an asset and its revision exist; returns the problems with pointers. */
type CheckAgent = (
  tenantId: TenantId,
  parameters: { agentId?: string | undefined; revision?: string | undefined },
) => Promise<ValidationIssue[]>;

/** Finds assets of the tenant by their ids; leaves out those that do not exist. */
type FindAssets = (ids: readonly string[]) => Promise<readonly TenantAsset[]>;

const Parameters = z.object({
  agentId: z.string().min(1).optional().meta({
    displayName: "Agent",
    description:
      "The agent with the assets to read. Required for an asset. An estimate reads those of its own agent by default.",
  }),
  assetIds: z.string().optional().meta({
    displayName: "Assets",
    description:
      "Asset IDs of the revision or, in an estimate, of the tenant, separated by commas. Empty for all of the revision.",
  }),
  revision: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, "must be a revision number")
    .optional()
    .meta({
      displayName: "Revision",
      description: "The revision of the agent. By default the deployed one, otherwise the latest.",
    }),
});

/**
 * Creates the source that reads an agent's assets from their links, without credentials. An asset without a
 * link, or that is not text, is a document without tokens. Assets that are found with documents are these.
 */
const createWharfSource = (
  loadAssets: LoadAssets,
  checkAgent: CheckAgent,
  findAssets: FindAssets,
): AssetSource => ({
  checkAsset: checkAgent,
  ...defineSource({
    key: "wharf",
    displayName: "Wharf",
    parameters: Parameters,
    async *read({ agentId, assetIds, revision }, context) {
      const number = revision === undefined ? undefined : Number(revision);
      const ofRevision = await loadAssets(number, agentId);
      for (const asset of await choose(ofRevision, assetIds, findAssets)) {
        const { id, displayName, link, documents } = asset;
        if (documents) {
          yield* documents;
          continue;
        }
        const text = streamText(asset, context);
        yield { fileName: displayName ?? id, id, link: link ?? undefined, text };
      }
    },
  }),
});

/** Returns every source, in the order in which they are listed. */
export const createAllSources = (
  settings: SourceSettings,
  loadAssets: LoadAssets,
  {
    checkAgent = async () => [],
    findAssets = async () => [],
  }: { checkAgent?: CheckAgent; findAssets?: FindAssets } = {},
): readonly AssetSource[] => [
  ...createSources(settings),
  createWharfSource(loadAssets, checkAgent, findAssets),
];

/** More than a call has the time to read. */
const maxChosen = 200;

const choose = async (
  ofRevision: readonly AgentAsset[],
  ids: string | undefined,
  findAssets: FindAssets,
): Promise<readonly TenantAsset[]> => {
  const wanted = (ids ?? "").split(",").map((id) => id.trim());
  const names = [...new Set(wanted.filter((id) => id !== ""))];
  if (names.length === 0) return withDocuments(ofRevision, findAssets);
  if (names.length > maxChosen) throw refuse(`has more than ${maxChosen} ids`);
  const own = ofRevision.filter(({ id }) => names.includes(id));
  const others = names.filter((name) => !own.some(({ id }) => id === name));
  const found = await findAssets(
    others.filter((id) => Buffer.byteLength(id) <= assetBounds.idBytes),
  );
  const missing = others.filter((name) => !found.some(({ id }) => id === name));
  if (missing.length === 0) return [...(await withDocuments(own, findAssets)), ...found];
  throw refuse(`there is no asset ${missing.join(", ").slice(0, 500)}`);
};

const withDocuments = async (
  assets: readonly AgentAsset[],
  findAssets: FindAssets,
): Promise<readonly TenantAsset[]> => {
  const found = await findAssets(assets.map(({ id }) => id));
  const documents = new Map(found.map((asset) => [asset.id, asset.documents]));
  return assets.map((asset) => ({ ...asset, documents: documents.get(asset.id) }));
};

const refuse = (detail: string) => validationFailed([{ pointer: "/assetIds", detail }]);

async function* streamText(asset: TenantAsset, context: SourceContext): AsyncGenerator<string> {
  const { id, link, contentType: mediaType } = asset;
  const fileName = asset.displayName ?? id;
  if (!link || !isTextFile(mediaType, fileName)) return;
  try {
    if (!parseAddress(link)) throw new OutgoingError("bad-url", "The link is not a URL.");
    yield* readTextFile(context, { url: link, mediaType, fileName, headers: {} });
  } catch (error) {
    if (!(error instanceof OutgoingError) || !isInvalidLink(error)) throw error;
    throw validationFailed([{ pointer: "/assetIds", detail: `asset ${id}: ${error.message}` }]);
  }
}

const isInvalidLink = ({ kind }: OutgoingError): boolean =>
  kind === "bad-url" || kind === "blocked-address";
