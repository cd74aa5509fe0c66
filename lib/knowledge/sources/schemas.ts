import * as z from "zod";
import { optionalText } from "../../values/json/null-as.ts";
import { parameterValues } from "./parameter-values.ts";

const count = (description: string) => z.int().min(0).meta({ description });

/** Estimate of a document. */
export const DocumentEstimate = z
  .object({
    fileName: z.string().meta({ description: "At most 200 characters." }),
    tokenCount: count("Tokens in the o200k_base encoding."),
    chunkCount: count("Overlapping chunks that ingestion would create."),
  })
  .meta({ id: "DocumentEstimate" });
export type DocumentEstimate = z.output<typeof DocumentEstimate>;

/** Estimated cost of the embeddings of a source by a model. */
export const EmbeddingCost = z
  .object({
    providerId: z.string(),
    model: z.string(),
    cost: z.number().min(0).meta({ description: "US dollars." }),
  })
  .meta({ id: "EmbeddingCost" });
export type EmbeddingCost = z.output<typeof EmbeddingCost>;

/** Estimate of a source: totals, and its documents in the source's order. */
export const AssetEstimate = z
  .object({
    tokenCount: count("Total of all documents."),
    chunkCount: count("Total of all documents."),
    documentCount: count("Number of documents, at most 20,000."),
    estimatedCost: z.array(EmbeddingCost).meta({
      description:
        "Cost of embedding all chunks, per embedding model of the tenant's providers with a known price.",
    }),
    documents: z.array(DocumentEstimate),
  })
  .meta({ id: "AssetEstimate" });
export type AssetEstimate = z.output<typeof AssetEstimate>;

/** A parameter of a type of source. */
const SourceParameter = z
  .object({
    name: z.string(),
    displayName: z.string(),
    required: z.boolean(),
    secret: z.boolean().meta({
      description:
        "Whether it is a credential. An estimate uses credentials for the request only; an asset keeps them encrypted and never returns them.",
    }),
    description: z.string(),
  })
  .meta({ id: "SourceParameter" });

/** A type of source. */
export const SourceType = z
  .object({
    key: z.string(),
    displayName: z.string(),
    parameters: z.array(SourceParameter),
  })
  .meta({ id: "SourceType" });
export type SourceType = z.output<typeof SourceType>;

/** Every type of source. */
export const SourceTypeList = z.array(SourceType).meta({ id: "SourceTypeList" });

const needed = z.string().min(1);

/** Request to estimate a source of any type, which validates the parameters. */
export const EstimateAssetsBody = z
  .object({
    type: z.string().nullable().meta({ description: "Key of a source type." }),
    parameters: parameterValues.nullable().meta({
      description: "Values of the source type's parameters. All values are strings.",
    }),
  })
  .meta({
    id: "EstimateAssetsBody",
    example: { type: "wharf", parameters: {} },
  });

/** Request to estimate a Jira query. */
export const EstimateJiraAssetsBody = z
  .object({
    baseUrl: needed.meta({
      description: "Base URL of the site, such as https://acme.atlassian.net.",
    }),
    jql: needed,
    token: needed,
    email: optionalText.meta({ description: "Required for basic authentication." }),
  })
  .meta({
    id: "EstimateJiraAssetsBody",
    example: {
      baseUrl: "https://jira.example.com",
      jql: "project = DOCS",
      email: "ada@example.com",
      token: "an-api-token",
    },
  });

/** Request to estimate a Zendesk help center. */
export const EstimateZendeskAssetsBody = z
  .object({
    subdomain: needed.meta({ description: "The subdomain, such as acme for acme.zendesk.com." }),
    email: needed,
    token: needed,
    locale: optionalText.meta({ description: "Defaults to all locales." }),
  })
  .meta({
    id: "EstimateZendeskAssetsBody",
    example: { subdomain: "example", email: "ada@example.com", token: "an-api-token" },
  });

/** Request to estimate a Notion database. */
export const EstimateNotionAssetsBody = z.object({ databaseId: needed, token: needed }).meta({
  id: "EstimateNotionAssetsBody",
  example: { databaseId: "0193f0a07c4b70008000000000000005", token: "an-integration-secret" },
});

/** Request to estimate Google Drive files or a folder. */
export const EstimateGoogleDriveAssetsBody = z
  .object({
    fileIds: z
      .array(z.string().regex(/^[^,\s]+$/, "must be a file's id"))
      .max(10_000)
      .nullable()
      .default(null)
      .meta({ description: "Either `fileIds` or `folderId` is required." }),
    folderId: optionalText,
    refreshToken: needed,
  })
  .meta({
    id: "EstimateGoogleDriveAssetsBody",
    example: { folderId: "a-folder", refreshToken: "a-refresh-token" },
  });
