import * as z from "zod";
import { optionalText } from "../../json/null-as.ts";

const count = (description: string) => z.int().min(0).meta({ description });

/** What one document comes to. */
export const DocumentEstimate = z
  .object({
    fileName: z.string().meta({ description: "At most 200 characters." }),
    tokenCount: count("In o200k_base."),
    chunkCount: count("Chunks that overlap, as it would be ingested."),
  })
  .meta({ id: "DocumentEstimate" });
export type DocumentEstimate = z.output<typeof DocumentEstimate>;

/** What a source comes to; the totals are the sums of the documents, which stand in the source's order. */
export const AssetEstimate = z
  .object({
    tokenCount: count("Of all documents."),
    chunkCount: count("Of all documents."),
    documentCount: count("At most 20,000."),
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
    secret: z.boolean().meta({ description: "A credential: used for the call alone, never kept." }),
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

/** What is to be estimated, of whatever type. The parameters are checked by the source. */
export const EstimateAssetsBody = z
  .object({
    type: z.string().nullable().meta({ description: "Key of a source type." }),
    parameters: z
      .record(z.string(), z.unknown().meta({ override: { type: "string" } }))
      .nullable()
      .meta({
        description: "A value for each of the source type's parameters, all of them strings.",
      }),
  })
  .meta({
    id: "EstimateAssetsBody",
    example: { type: "wharf", parameters: {} },
  });

/** What of Jira is to be estimated. */
export const EstimateJiraAssetsBody = z
  .object({
    baseUrl: needed.meta({ description: "Such as https://acme.atlassian.net." }),
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

/** What of Zendesk is to be estimated. */
export const EstimateZendeskAssetsBody = z
  .object({
    subdomain: needed.meta({ description: "acme for acme.zendesk.com." }),
    email: needed,
    token: needed,
    locale: optionalText.meta({ description: "Omit to read all locales." }),
  })
  .meta({
    id: "EstimateZendeskAssetsBody",
    example: { subdomain: "example", email: "ada@example.com", token: "an-api-token" },
  });

/** What of Notion is to be estimated. */
export const EstimateNotionAssetsBody = z.object({ databaseId: needed, token: needed }).meta({
  id: "EstimateNotionAssetsBody",
  example: { databaseId: "0193f0a07c4b70008000000000000005", token: "an-integration-secret" },
});

/** What of Google Drive is to be estimated. */
export const EstimateGoogleDriveAssetsBody = z
  .object({
    fileIds: z
      .array(z.string().regex(/^[^,\s]+$/, "must be a file's id"))
      .max(10_000)
      .nullable()
      .default(null)
      .meta({ description: "Either these, or folderId." }),
    folderId: optionalText,
    refreshToken: needed,
  })
  .meta({
    id: "EstimateGoogleDriveAssetsBody",
    example: { folderId: "a-folder", refreshToken: "a-refresh-token" },
  });
