import { isUtf8 } from "node:buffer";
import { isTextType } from "../engine/models/file-kinds.ts";
import type { FileStorage } from "../files/file-storage.ts";
import { buildContentUrl } from "../files/output-files.ts";
import { getFile, listFileUses } from "../files/store.ts";
import type { Database } from "../platform/db/database.ts";
import { isUuid } from "../platform/http/ids.ts";
import type { Runtime } from "../platform/runtime/runtime.ts";
import type { AgentCaller } from "./agent-caller.ts";

/** Bytes of the files that a request reads, which are 4 MiB in base64. */
const maxBytes = 3 * 1024 * 1024;

/** A file that a result links, as its client reads it, or why this request cannot have it. */
export type LinkedContent =
  | { readonly mimeType: string; readonly text: string }
  | { readonly mimeType: string; readonly blob: string }
  | { readonly refusal: string };

/** Reads a file by the address in a result's link; undefined for one that does not exist for the caller. */
export type ReadLinkedFile = (uri: string) => Promise<LinkedContent | undefined>;

/**
 * Returns what reads the files of one request: those of executions that the caller started, of agents that the server offers to
 * the caller. A token for this server alone reads no other files of its user.
 */
export const linkedFiles = (
  { db, files, runtime }: { db: Database; files: Pick<FileStorage, "objects">; runtime: Runtime },
  {
    caller: { tenant, principal, baseUrl },
    findAgentIds,
  }: {
    caller: Pick<AgentCaller, "tenant" | "principal" | "baseUrl">;
    findAgentIds: () => Promise<readonly string[]>;
  },
): ReadLinkedFile => {
  let left = maxBytes;
  const find = async (fileId: string) => {
    const item = await getFile(db, tenant.id, fileId, runtime.clock());
    if (!item) return undefined;
    const [uses, agentIds] = await Promise.all([
      listFileUses(db, tenant.id, fileId),
      findAgentIds(),
    ]);
    const isOwn = uses.some(
      ({ agentId, starter }) => starter === principal.id && agentIds.includes(agentId),
    );
    return isOwn ? item : undefined;
  };
  return async (uri) => {
    const fileId = findFileId(uri, tenant.id);
    const item = fileId === undefined ? undefined : await find(fileId);
    if (!item) return undefined;
    const { id, bytes, mediaType: mimeType, object } = item;
    if (bytes > left) {
      // The host of the link may be another one: a credential is for this one.
      const address = buildContentUrl({ baseUrl, tenantId: tenant.id }, id);
      return { refusal: describeTooLarge(address, bytes) };
    }
    left -= bytes;
    const content = await files.objects.get(object);
    if (!content) return undefined;
    return isTextType(mimeType) && isUtf8(content)
      ? { mimeType, text: new TextDecoder().decode(content) }
      : { mimeType, blob: Buffer.from(content).toString("base64") };
  };
};

/** Returns the id in the address of a file's content, whatever host the address names. */
const findFileId = (uri: string, tenantId: string): string | undefined => {
  const [, inTenant, fileId = ""] =
    /\/v1\/tenants\/([^/?#]+)\/files\/([^/?#]+)\/content$/.exec(uri) ?? [];
  return inTenant === tenantId && isUuid(fileId) ? fileId.toLowerCase() : undefined;
};

const describeTooLarge = (address: string, bytes: number): string =>
  `The file has ${bytes} bytes; a request reads at most ${maxBytes} in all. Download it: request ${address}?redirect=false with a credential of the API that may read it, then the url of the response.`;
