import * as z from "zod";
import { EmbeddingModel } from "../../engine/models/embedding-model.ts";
import { ChosenId, Timestamp } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { maxAddressLength } from "../../platform/outgoing/parse-address.ts";
import { optionalFlag, optionalText, optionalWhole } from "../../values/json/null-as.ts";
import { parameterValues } from "../sources/parameter-values.ts";

/** An asset's id in a path: chosen at its creation, or by the revision that names it. */
export const AssetId = z.string().min(1).max(1_024);

/** An asset of a revision; `check-assets.ts` limits its size. */
export const RevisionAsset = z
  .object({
    id: z.string().min(1).meta({ description: "At most 1,024 bytes of UTF-8." }),
    displayName: optionalText,
    contentType: optionalText,
    assetType: optionalWhole,
    vectorized: optionalFlag.meta({
      description:
        "Whether the asset is `Ready`, so that agents can search it. Ignored in requests.",
    }),
    link: z.string().max(maxAddressLength).nullable().default(null),
  })
  .meta({ id: "RevisionAsset" });
export type RevisionAsset = z.output<typeof RevisionAsset>;

/** Interval of automatic synchronization. */
export const Refresh = z.enum(["hourly", "daily", "weekly"]);
export type Refresh = z.output<typeof Refresh>;

/** State of an asset's index. */
export const AssetStatus = z.enum(["Empty", "Syncing", "Ready", "Failed"]);
export type AssetStatus = z.output<typeof AssetStatus>;

const amount = z.int().min(0).default(0);

/** Progress of the current synchronization, or what the last one did. */
export const SyncProgress = z
  .object({
    documentsSeen: amount.meta({ description: "Documents that the source had so far." }),
    documentsIndexed: amount.meta({
      description: "New and changed documents that were embedded.",
    }),
    documentsRemoved: amount.meta({ description: "Documents that are no longer in the source." }),
    tokens: amount.meta({ description: "Tokens that were embedded." }),
  })
  .meta({ id: "SyncProgress" });
export type SyncProgress = z.output<typeof SyncProgress>;

/** Progress of a synchronization that has not started. */
export const noProgress: SyncProgress = {
  documentsSeen: 0,
  documentsIndexed: 0,
  documentsRemoved: 0,
  tokens: 0,
};

/** Type and parameters of a source; credentials are masked. */
const sourced = {
  type: z.string().nullable().default(null).meta({
    description:
      "Key of a source type, or `upload`; null for an asset that revisions name and that cannot be searched.",
  }),
  parameters: z.record(z.string(), z.string()).nullable().default(null).meta({
    description: "Parameters of the source. Credentials read `********`.",
  }),
  refresh: Refresh.nullable().default(null),
  embedding: EmbeddingModel.nullable().default(null),
};

/** An asset of a tenant: a source that can be searched, or what a revision named last, or both. */
export const Asset = RevisionAsset.extend({
  agentId: ChosenId.nullable().default(null).meta({
    description: "The agent of the latest revision that named the asset; null for none.",
  }),
  agentRevision: z.int().nullable().default(null).meta({
    description: "The revision that named the asset most recently; null for none.",
  }),
  ...sourced,
  status: AssetStatus.default("Empty"),
  progress: SyncProgress.default(noProgress),
  documentCount: amount.meta({ description: "Documents in the index." }),
  embeddedTokens: amount.meta({ description: "Tokens that were embedded since its creation." }),
  embeddingCost: z.number().min(0).default(0).meta({
    description: "Cost of the embedded tokens since its creation, in US dollars.",
  }),
  embeddingPriced: z.boolean().default(true).meta({
    description: "False when a model that embedded them has no price; its tokens cost 0 here.",
  }),
  lastSyncedAt: Timestamp.nullable().default(null).meta({
    description: "When a synchronization last succeeded, or null.",
  }),
  error: z.string().nullable().default(null).meta({
    description: "Why the last synchronization failed, or null.",
  }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
  changedAt: Timestamp.nullable().default(null).meta({
    description: "When a webhook delivery last reported a change at the source, or null.",
  }),
}).meta({
  id: "Asset",
  example: {
    id: "handbook",
    displayName: "Handbook",
    contentType: null,
    assetType: null,
    vectorized: true,
    link: null,
    agentId: "hello",
    agentRevision: 1,
    type: "github",
    parameters: { repository: "acme/handbook", token: "********" },
    refresh: "daily",
    embedding: { providerId: "echo", model: "echo-1" },
    status: "Ready",
    progress: { documentsSeen: 12, documentsIndexed: 2, documentsRemoved: 0, tokens: 4100 },
    documentCount: 12,
    embeddedTokens: 24100,
    embeddingCost: 0,
    embeddingPriced: true,
    lastSyncedAt: 1763596800000,
    error: null,
    createdAt: 1763596800000,
    modifiedAt: 1763596800000,
    changedAt: null,
  },
});
export type Asset = z.output<typeof Asset>;

/** A page of assets, by id. */
export const AssetPage = pageSchema(Asset, "AssetPage");

/** Request to create an asset. */
export const CreateAssetBody = z
  .object({
    id: ChosenId.nullish().meta({ description: "Default: a new UUID." }),
    displayName: z.string().min(1).max(256),
    type: z.string().meta({ description: "Key of a source type, or `upload`." }),
    parameters: parameterValues.nullish().meta({
      description: "Values of the source type's parameters; none for `upload`.",
    }),
    refresh: Refresh.nullish(),
    embedding: EmbeddingModel.nullish().meta({
      description: "Default: the built-in provider `echo`, which is free.",
    }),
  })
  .meta({
    id: "CreateAssetBody",
    example: { id: "handbook", displayName: "Handbook", type: "upload", parameters: {} },
  });
export type CreateAssetBody = z.output<typeof CreateAssetBody>;

/** Request to change an asset; members that are absent stay. */
export const UpdateAssetBody = z
  .object({
    displayName: z.string().min(1).max(256).optional(),
    parameters: parameterValues.optional().meta({
      description: "Replaces all parameters; the value `********` keeps a stored credential.",
    }),
    refresh: Refresh.nullable().optional(),
    embedding: EmbeddingModel.optional().meta({
      description: "Another model embeds all documents again in the next synchronization.",
    }),
  })
  .meta({ id: "UpdateAssetBody", example: { refresh: "daily" } });
export type UpdateAssetBody = z.output<typeof UpdateAssetBody>;
