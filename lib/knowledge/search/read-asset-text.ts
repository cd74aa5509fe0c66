import type { KnowledgePart, KnowledgeRead } from "../../engine/flow/knowledge.ts";
import { ToolError } from "../../engine/tools/tool.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { isManaged } from "../asset/asset-item.ts";
import { describeUnavailable } from "../asset/describe-unavailable.ts";
import { getAsset } from "../asset/store.ts";
import { deriveDocumentId } from "../document/document-id.ts";
import type { DocumentItem, IndexKey, StoredChunks } from "../document/document-item.ts";
import { DocumentId } from "../document/schemas.ts";
import { getDocument, getDocuments, listAllDocuments, listDocuments } from "../document/store.ts";
import { loadChunks } from "./load-chunks.ts";
import { sliceText, textLength } from "./slice-text.ts";

/** Dependencies of reading documents. */
export type ReadDeps = { readonly db: Database; readonly objects: Pick<ObjectStore, "get"> };

/** Documents of an asset that are listed together, and among which a name is looked for. */
const listedAtOnce = 100;
const maxCompared = 1_000;

/**
 * Reads a part of a document's indexed text. Without a `document`, that of the asset's only one, or the list of its
 * documents. Throws a ToolError for what does not exist or is not indexed.
 */
export const readAssetText = async (
  deps: ReadDeps,
  { tenantId, request }: { tenantId: TenantId; request: KnowledgeRead },
): Promise<KnowledgePart> => {
  const { assetId, document: wanted } = request;
  const asset = await getAsset(deps.db, tenantId, assetId);
  const gap = describeUnavailable(asset) ?? "has no documents";
  if (!asset || !isManaged(asset)) throw new ToolError(`${named("asset", assetId)} ${gap}.`);
  const place = { tenantId, indexId: asset.indexId };
  if (wanted !== undefined) {
    const document = await findDocument(deps.db, place, wanted);
    if (document) return readPart(deps, place, document, request);
    throw new ToolError(`${named("asset", assetId)} has no document ${JSON.stringify(wanted)}.`);
  }
  const listed = await listSome(deps.db, place, request);
  if ("only" in listed) return readPart(deps, place, listed.only, request);
  if (listed.documents.length > 0) return listed;
  const reason = request.offset > 0 ? "has no more documents" : gap;
  throw new ToolError(`${named("asset", assetId)} ${reason}.`);
};

const named = (kind: string, name: string): string => `The ${kind} ${JSON.stringify(name)}`;

const findDocument = async (
  db: Database,
  place: IndexKey,
  wanted: string,
): Promise<DocumentItem | undefined> => {
  const ids = [deriveDocumentId(wanted), ...(DocumentId.safeParse(wanted).success ? [wanted] : [])];
  const places = ids.map((documentId) => ({ indexId: place.indexId, documentId }));
  const found = (await getDocuments(db, place.tenantId, places)).find(
    (item) => item?.deletion === null && [item.name, item.documentId].includes(wanted),
  );
  if (found) return found;
  let compared = 0;
  for await (const item of listAllDocuments(db, place.tenantId, place.indexId)) {
    if (item.name === wanted) return item;
    compared += 1;
    if (compared === maxCompared) return undefined;
  }
  return undefined;
};

/** Returns the only document of an asset, or some of its documents. */
const listSome = async (
  db: Database,
  place: IndexKey,
  { offset }: Pick<KnowledgeRead, "offset">,
): Promise<{ only: DocumentItem } | Extract<KnowledgePart, { documents: unknown }>> => {
  const size = offset === 0 ? listedAtOnce : 2;
  const first = await listDocuments(db, place, { size, skip: 0 });
  const [only, ...more] = first.items;
  if (only && more.length === 0 && first.nextPageToken === null) return { only };
  const page =
    offset === 0 ? first : await listDocuments(db, place, { size: listedAtOnce, skip: offset });
  const documents = page.items.map(({ documentId, name }) => ({ id: documentId, name }));
  return { documents, nextOffset: page.nextPageToken === null ? null : Number(page.nextPageToken) };
};

const readPart = async (
  deps: ReadDeps,
  place: IndexKey,
  document: DocumentItem,
  request: Pick<KnowledgeRead, "offset" | "maxLength">,
): Promise<KnowledgePart> => {
  const chunks = await loadText(deps, place, document);
  const length = textLength(chunks);
  const { offset } = request;
  if (offset > 0 && offset >= length) {
    throw new ToolError(`The offset ${offset} is beyond the text, which has ${length} characters.`);
  }
  const text = sliceText(chunks, request);
  const end = offset + text.length;
  return { documentName: document.name, text, length, nextOffset: end < length ? end : null };
};

const loadText = async (
  { db, objects }: ReadDeps,
  place: IndexKey,
  document: DocumentItem,
): Promise<StoredChunks> => {
  const { documentId, indexed } = document;
  if (!indexed) throw new ToolError(describeUnindexed(document));
  if (indexed.chunkCount === 0) return [];
  try {
    return await loadChunks(objects, place, { documentId, hash: indexed.hash });
  } catch (error) {
    const now = await getDocument(db, place, documentId);
    if (!now) throw new ToolError(`${named("document", document.name)} was deleted.`);
    if (!now.indexed || now.indexed.hash === indexed.hash) throw error;
    return loadText({ db, objects }, place, now);
  }
};

const describeUnindexed = ({ name, status, error }: DocumentItem): string =>
  status === "Failed"
    ? `${named("document", name)} could not be indexed: ${error ?? "no reason"}`
    : `${named("document", name)} is not indexed yet; try again later.`;
