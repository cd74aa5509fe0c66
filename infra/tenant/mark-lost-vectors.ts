import {
  ConditionalCheckFailedException,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { vectorKey } from "../../lib/knowledge/document/document-item.ts";
import { upload } from "../../lib/knowledge/sources/upload.ts";
import type { Item } from "./classify.ts";
import type { Installation } from "./installation.ts";
import { queryItems } from "./table-items.ts";
import { findMissingVectors } from "./vectors.ts";

/** An asset with documents that searches cannot find. */
export type LostVectors = { assetId: string; documents: number; lost: number };

/** Name of an index that does not exist: an uploaded document of another index is embedded from its stored text. */
const noIndex = "lost";
const documentsAtOnce = 50;

/**
 * Marks the documents of a tenant without their vectors, so that the next synchronization of their assets embeds them
 * again: vectors are in no backup of the table. Idempotent. Returns the assets with such documents.
 */
export const markLostVectors = async (
  installation: Installation,
  tenantId: string,
): Promise<LostVectors[]> => {
  const found: LostVectors[] = [];
  for await (const asset of queryItems(installation, `TENANT#${tenantId}#ASSETS`, "")) {
    const [assetId, indexId] = [asset.sk?.S, asset.indexId?.S];
    if (assetId === undefined || !indexId || !asset.embedding?.M) continue;
    const counts = { assetId, documents: 0, lost: 0 };
    const isUpload = asset.type?.S === upload.key;
    let batch: Item[] = [];
    const markBatch = async (): Promise<void> => {
      counts.lost += await markAll(installation, { indexId, isUpload }, batch);
      batch = [];
    };
    const partition = `TENANT#${tenantId}#INDEX#${indexId}`;
    for await (const document of queryItems(installation, partition, "DOC#")) {
      counts.documents += 1;
      batch.push(document);
      if (batch.length === documentsAtOnce) await markBatch();
    }
    await markBatch();
    if (counts.lost > 0) found.push(counts);
  }
  return found;
};

/** Keys of the first and the last vector of a document's content, with the name of its index. */
const readVectors = (indexId: string, { documentId, indexed }: Item) => {
  const { hash, index, chunkCount } = indexed?.M ?? {};
  const count = Number(chunkCount?.N ?? 0);
  if (!documentId?.S || !hash?.S || !index?.S || count === 0) return undefined;
  const place = { documentId: documentId.S, hash: hash.S };
  const keys = [0, count - 1].map((chunk) => vectorKey(indexId, { ...place, chunk }));
  return { index: index.S, keys: [...new Set(keys)] };
};

const markAll = async (
  installation: Installation,
  asset: { indexId: string; isUpload: boolean },
  documents: readonly Item[],
): Promise<number> => {
  const indexed = documents.flatMap((document) => {
    const vectors = readVectors(asset.indexId, document);
    return vectors ? [{ document, ...vectors }] : [];
  });
  let marked = 0;
  for (const [index, group] of Map.groupBy(indexed, (content) => content.index)) {
    const keys = group.flatMap((content) => content.keys);
    const missing = await findMissingVectors(installation, index, keys);
    for (const { document, keys } of group) {
      if (keys.some((key) => missing.has(key))) marked += await mark(installation, asset, document);
    }
  }
  return marked;
};

/** A document of a source is read again; the text of an uploaded one is stored. */
const mark = async (
  { dynamodb, table }: Installation,
  { isUpload }: { isUpload: boolean },
  { pk, sk, indexed }: Item,
): Promise<number> => {
  const hash = indexed?.M?.hash;
  if (!pk || !sk || !hash) return 0;
  const change: Pick<UpdateItemCommandInput, "UpdateExpression"> & { values: Item } = isUpload
    ? { UpdateExpression: "SET #indexed.#index = :index", values: { ":index": { S: noIndex } } }
    : {
        UpdateExpression: "SET #indexed = :none, #version = :none",
        values: { ":none": { NULL: true } },
      };
  try {
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { pk, sk },
        UpdateExpression: change.UpdateExpression,
        ConditionExpression: "#indexed.#hash = :hash",
        ExpressionAttributeNames: {
          "#indexed": "indexed",
          "#hash": "hash",
          ...(isUpload ? { "#index": "index" } : { "#version": "version" }),
        },
        ExpressionAttributeValues: { ...change.values, ":hash": hash },
      }),
    );
    return 1;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 0;
    throw error;
  }
};
