import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  Asset,
  AssetId,
  AssetPage,
  CreateAssetBody,
  UpdateAssetBody,
} from "../../lib/knowledge/asset/schemas.ts";
import {
  AssetDocument,
  AssetDocumentPage,
  CompleteUploadBody,
  CreateUploadBody,
  DocumentId,
  DocumentName,
  FileUpload,
} from "../../lib/knowledge/document/schemas.ts";
import { SearchAssetsBody, SearchResults } from "../../lib/knowledge/search/schemas.ts";
import {
  AssetEstimate,
  EstimateAssetsBody,
  EstimateGoogleDriveAssetsBody,
  EstimateJiraAssetsBody,
  EstimateNotionAssetsBody,
  EstimateZendeskAssetsBody,
  SourceTypeList,
} from "../../lib/knowledge/sources/schemas.ts";
import { ChosenId, Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";
import { RawBody } from "../../lib/platform/http/raw-body.ts";

const route = createDefineRoute("assets");
const asset = AssetId.meta({ example: "handbook" });

/** Responses too large for an item are kept in the bucket, to be replayed for the same Idempotency-Key. */
const estimating = {
  method: "POST",
  scope: "assets:write",
  params: { agent: ChosenId },
  response: { status: 200, schema: AssetEstimate },
  problems: ["upstream-failed", "upstream-timeout"],
  access: { table: "write", bucket: "write", sources: true, prices: true },
  slots: "call",
} as const;

export const listAssets = route({
  operation: "list-assets",
  method: "GET",
  path: "/v1/tenants/{tenant}/assets",
  summary: "Lists the assets that revisions name, by id",
  scope: "assets:read",
  query: pagingQuery,
  response: { status: 200, schema: AssetPage },
  access: { table: "read" },
});

export const createAsset = route({
  operation: "create-asset",
  creates: "Asset",
  method: "POST",
  path: "/v1/tenants/{tenant}/assets",
  summary: "Creates an asset that can be searched",
  scope: "assets:write",
  body: CreateAssetBody,
  response: { status: 201, schema: Asset },
  problems: ["conflict"],
  access: { table: "write", secrets: "seal", sources: true },
});

export const getAsset = route({
  operation: "get-asset",
  method: "GET",
  path: "/v1/tenants/{tenant}/assets/{asset}",
  summary: "Retrieves an asset",
  scope: "assets:read",
  params: { asset },
  response: { status: 200, schema: Asset },
  access: { table: "read" },
});

export const updateAsset = route({
  operation: "update-asset",
  changes: "Asset",
  method: "PATCH",
  path: "/v1/tenants/{tenant}/assets/{asset}",
  summary: "Changes an asset's settings",
  scope: "assets:write",
  params: { asset },
  body: UpdateAssetBody,
  response: { status: 200, schema: Asset },
  problems: ["conflict"],
  access: { table: "write", secrets: "seal", sources: true },
});

export const deleteAsset = route({
  operation: "delete-asset",
  changes: "Asset",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/assets/{asset}",
  summary: "Deletes an asset with its documents and its index",
  scope: "assets:write",
  params: { asset },
  response: { status: 204 },
  access: { table: "write", publishes: ["housekeeping"] },
});

export const searchAssets = route({
  operation: "search-assets",
  method: "POST",
  path: "/v1/tenants/{tenant}/assets:search",
  summary: "Searches the documents of assets",
  scope: "assets:read",
  body: SearchAssetsBody,
  response: { status: 200, schema: SearchResults },
  problems: ["upstream-failed", "upstream-timeout"],
  access: { table: "write", bucket: "write", vectors: "read", secrets: "open", models: true },
  slots: "call",
  concurrencyWeight: 6,
});

export const syncAsset = route({
  operation: "sync-asset",
  changes: "Asset",
  method: "POST",
  path: "/v1/tenants/{tenant}/assets/{asset}:sync",
  summary: "Starts a synchronization of an asset with its source",
  scope: "assets:write",
  params: { asset },
  response: { status: 202, schema: Asset },
  problems: ["conflict"],
  access: { table: "write", publishes: ["syncs"] },
});

export const uploadDocument = route({
  operation: "upload-document",
  creates: "Document",
  newId: "documentId",
  method: "POST",
  path: "/v1/tenants/{tenant}/assets/{asset}/documents",
  summary: "Uploads a file to an asset; one of the same name is replaced",
  scope: "assets:write",
  params: { asset },
  query: { name: DocumentName },
  body: RawBody,
  response: { status: 201, schema: AssetDocument },
  problems: ["conflict"],
  access: { table: "write", bucket: "write", publishes: ["documents"] },
});

export const createUpload = route({
  operation: "create-upload",
  method: "POST",
  path: "/v1/tenants/{tenant}/assets/{asset}/uploads",
  summary: "Creates a URL to upload a file of up to 64 MiB to",
  scope: "assets:write",
  params: { asset },
  body: CreateUploadBody,
  response: { status: 201, schema: FileUpload },
  shownOnce: ["uploadUrl"],
  problems: ["conflict"],
  access: { table: "write", bucket: "write" },
});

export const completeUpload = route({
  operation: "complete-upload",
  creates: "Document",
  newId: "documentId",
  unnamed: ["upload"],
  method: "POST",
  path: "/v1/tenants/{tenant}/assets/{asset}/uploads/{upload}:complete",
  summary: "Adds an uploaded file to an asset; one of the same name is replaced",
  scope: "assets:write",
  params: { asset, upload: Uuid },
  body: CompleteUploadBody,
  response: { status: 201, schema: AssetDocument },
  problems: ["conflict"],
  access: { table: "write", bucket: "write", publishes: ["documents"] },
});

export const listDocuments = route({
  operation: "list-documents",
  method: "GET",
  path: "/v1/tenants/{tenant}/assets/{asset}/documents",
  summary: "Lists the documents of an asset, by id",
  scope: "assets:read",
  params: { asset },
  query: pagingQuery,
  response: { status: 200, schema: AssetDocumentPage },
  access: { table: "read" },
});

export const getDocument = route({
  operation: "get-document",
  method: "GET",
  path: "/v1/tenants/{tenant}/assets/{asset}/documents/{document}",
  summary: "Retrieves a document of an asset",
  scope: "assets:read",
  params: { asset, document: DocumentId },
  response: { status: 200, schema: AssetDocument },
  access: { table: "read" },
});

export const deleteDocument = route({
  operation: "delete-document",
  changes: "Document",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/assets/{asset}/documents/{document}",
  summary: "Deletes an uploaded document with its texts and vectors",
  scope: "assets:write",
  params: { asset, document: DocumentId },
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write", bucket: "write", vectors: "write", publishes: ["housekeeping"] },
});

export const listSourceTypes = route({
  operation: "list-source-types",
  method: "GET",
  path: "/v1/tenants/{tenant}/assets/source-types",
  summary: "Lists the source types of assets",
  scope: "assets:read",
  response: { status: 200, schema: SourceTypeList },
});

export const estimateAssets = route({
  operation: "estimate-assets",
  path: "/v1/tenants/{tenant}/agents/{agent}/assets:estimate",
  summary: "Estimates the tokens, chunks and cost of a source of any type",
  body: EstimateAssetsBody,
  ...estimating,
});

export const estimateJiraAssets = route({
  operation: "estimate-jira-assets",
  path: "/v1/tenants/{tenant}/agents/{agent}/assets:jira-estimate",
  summary: "Estimates the tokens and chunks of Jira issues",
  body: EstimateJiraAssetsBody,
  ...estimating,
});

export const estimateZendeskAssets = route({
  operation: "estimate-zendesk-assets",
  path: "/v1/tenants/{tenant}/agents/{agent}/assets:zendesk-estimate",
  summary: "Estimates the tokens and chunks of a Zendesk help center",
  body: EstimateZendeskAssetsBody,
  ...estimating,
});

export const estimateNotionAssets = route({
  operation: "estimate-notion-assets",
  path: "/v1/tenants/{tenant}/agents/{agent}/assets:notion-estimate",
  summary: "Estimates the tokens and chunks of a Notion database",
  body: EstimateNotionAssetsBody,
  ...estimating,
});

export const estimateGoogleDriveAssets = route({
  operation: "estimate-google-drive-assets",
  path: "/v1/tenants/{tenant}/agents/{agent}/assets:google-drive-estimate",
  summary: "Estimates the tokens and chunks of Google Drive files",
  body: EstimateGoogleDriveAssetsBody,
  ...estimating,
});
