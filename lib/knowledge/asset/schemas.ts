import * as z from "zod";
import { optionalFlag, optionalText, optionalWhole } from "../../json/null-as.ts";
import { ChosenId, Timestamp } from "../../platform/http/ids.ts";
import { pageOf } from "../../platform/http/paging.ts";
import { maxAddressLength } from "../../platform/outgoing/parse-address.ts";

/** An asset of a revision; `check-assets.ts` limits its size. */
export const RevisionAsset = z
  .object({
    id: z.string().min(1).meta({ description: "At most 1,024 bytes of UTF-8." }),
    displayName: optionalText,
    contentType: optionalText,
    assetType: optionalWhole,
    vectorized: optionalFlag,
    link: z.string().max(maxAddressLength).nullable().default(null),
  })
  .meta({ id: "RevisionAsset" });
export type RevisionAsset = z.output<typeof RevisionAsset>;

/** An asset of a tenant, as in the revision that named it last. Stored in this shape. */
export const Asset = RevisionAsset.extend({
  agentId: ChosenId.meta({
    description: "The agent whose revision named the asset most recently.",
  }),
  agentRevision: z.int().meta({ description: "The revision that named the asset most recently." }),
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
    contentType: "text/markdown",
    assetType: 0,
    vectorized: false,
    link: "https://example.com/handbook.md",
    agentId: "hello",
    agentRevision: 1,
    createdAt: 1763596800000,
    modifiedAt: 1763596800000,
    changedAt: null,
  },
});
export type Asset = z.output<typeof Asset>;

/** A page of assets, by id. */
export const AssetPage = pageOf(Asset, "AssetPage");
