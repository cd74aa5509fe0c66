import type { ExecutionDeps } from "../../executions/job/job.ts";
import { buildFileItem, storeFile } from "../../files/create-file.ts";
import { deriveFileId } from "../../files/derive-file-id.ts";
import type { FileCreator, FileItem } from "../../files/file-item.ts";
import {
  type FileSlot,
  findFileSlot,
  findMissingFile,
  isSlotFull,
  openFileSlots,
  toFileInputs,
} from "../../files/file-slots.ts";
import { findReadableFile } from "../../files/find-readable-file.ts";
import { storedFileLimits } from "../../files/limits.ts";
import { reserveBytes } from "../../files/reserve-bytes.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { ChatAttachment } from "../../vendors/chat-message.ts";
import { chatProvider } from "../../vendors/registry/find-chat-provider.ts";
import { toFileSender } from "../chat-user/id.ts";
import type { ConnectorItem } from "../connector/items.ts";
import { openParameters } from "../connector/secrets.ts";
import type { ReplyToChatMessage } from "../messages.ts";
import {
  type AttachmentNotice,
  describeIgnored,
  describeMissing,
  describeRefused,
  formatBytes,
  type RefusedAttachment,
} from "./attachment-notice.ts";
import { type AttachmentSource, fetchAttachment } from "./fetch-attachment.ts";
import { isSenderGone } from "./is-sender-gone.ts";
import { removeAttachedFiles, removeAttachments } from "./remove-attachments.ts";

/** Maximum size of a file for an input without `maxBytes`. */
const defaultMaxBytes = 20 * 1024 * 1024;

/** Time to fetch all attachments of a message. */
const allMs = 120_000;

/** A message, and the agent's inputs that its attachments are for. */
export type Attaching = {
  connector: ConnectorItem;
  message: ReplyToChatMessage;
  parameters: readonly ParameterDescriptor[];
  executionId: string;
  /** Unix milliseconds. */
  until: number;
};

/** The inputs of the type File, what the chat is notified of, and why the agent cannot run, if it cannot. */
export type AttachedFiles = {
  input: JsonObject;
  /** The stored files of the message, also those that no input takes. */
  files: readonly FileItem[];
  notice?: AttachmentNotice | undefined;
  refusal?: string | undefined;
};

type Slot = FileSlot<FileItem>;

/**
 * Stores the attachments of a message as files of the connector, every one for the input that `findFileSlot` finds. A repeated
 * message stores the same files. The chat is notified of every attachment that was not passed on. Nothing is kept for an agent
 * without such inputs, or of a sender who was deleted since.
 */
export const attachFiles = async (
  deps: ExecutionDeps,
  attaching: Attaching,
): Promise<AttachedFiles> => {
  const { attachments = [], omittedAttachments = 0, text } = attaching.message.message;
  const slots: Slot[] = openFileSlots(attaching.parameters, { maxBytes: defaultMaxBytes });
  const sentCount = attachments.length + omittedAttachments;
  const hasText = text !== "" || sentCount === 0;
  if (slots.length === 0) {
    await removeAttachments(deps, attaching.message);
    if (sentCount === 0) return { input: {}, files: [] };
    const notice = { text: describeIgnored(sentCount), isReply: !hasText };
    return {
      input: {},
      files: [],
      notice,
      refusal: hasText ? undefined : "The agent takes no files.",
    };
  }
  const names = attachments.map(({ name }, at) => name ?? `attachment ${at + 1}`);
  const refused: RefusedAttachment[] = [];
  const left: FileItem[] = [];
  if (attachments.length > 0) {
    const attach = createAttach(deps, attaching, { slots, left });
    for (const [at, attachment] of attachments.entries()) {
      const reason = await attach(attachment, at);
      if (reason !== undefined) refused.push({ name: names[at] ?? "", reason });
    }
  }
  const files = [...slots.flatMap((slot) => slot.files), ...left];
  const { connector, message } = attaching;
  if (files.length > 0 && (await isSenderGone(deps.db, connector, message))) {
    await removeAttachedFiles(deps, { tenantId: message.tenantId, files });
    const empty: Slot[] = slots.map((slot) => ({ ...slot, files: [] }));
    const all = names.map((name) => ({ name, reason: "it is no longer kept" }));
    const described = describeRefused(all, omittedAttachments);
    return { input: {}, files: [], ...judge(empty, { described, hasText }) };
  }
  const described = describeRefused(refused, omittedAttachments);
  return {
    input: toFileInputs(slots, ({ id }) => ({ fileId: id })),
    files,
    ...judge(slots, { described, hasText }),
  };
};

/** Decides whether the agent can run with the files of its inputs. */
const judge = (
  slots: readonly Slot[],
  { described, hasText }: { described: string | undefined; hasText: boolean },
): Pick<AttachedFiles, "notice" | "refusal"> => {
  const missing = findMissingFile(slots);
  if (missing) {
    return {
      notice: { text: described ?? describeMissing(missing), isReply: true },
      refusal: `The message has no file for the input ${JSON.stringify(missing.name)}, which is required.`,
    };
  }
  if (!hasText && slots.every(({ files }) => files.length === 0)) {
    return {
      notice: { text: described ?? "", isReply: true },
      refusal: "The message has no text, and none of its attachments could be passed on.",
    };
  }
  return { notice: described === undefined ? undefined : { text: described, isReply: false } };
};

/** Returns what passes on an attachment to an input, or returns why it does not. `left` gets the stored files that no input takes. */
const createAttach = (
  deps: ExecutionDeps,
  { connector, message: { tenantId, message }, executionId, until }: Attaching,
  { slots, left }: { slots: readonly Slot[]; left: FileItem[] },
): ((attachment: ChatAttachment, at: number) => Promise<string | undefined>) => {
  const { db, files, runtime, sealer } = deps;
  const creator: FileCreator = { type: "Connector", id: connector.id };
  const source: AttachmentSource = {
    calling: {
      outgoing: files.outgoing,
      clock: runtime.clock,
      sleep: (ms) => deps.sleep(ms, new AbortController().signal),
    },
    connectorId: connector.id,
    provider: chatProvider(connector.provider),
    openParameters: () => openParameters(sealer, tenantId, connector),
    maxBytes: findMaxBytes(slots),
    until: Math.min(until, runtime.clock() + allMs),
  };
  const find = async (fileId: string, attachment: ChatAttachment) => {
    const now = runtime.clock();
    const item = await findReadableFile(db, { tenantId, reader: { creator }, fileId, now });
    if (!item) return `${attachment.name ?? "it"} is no longer kept`;
    const slot = findSlot(slots, item);
    if (typeof slot !== "string") {
      slot.files.push(item);
      return undefined;
    }
    left.push(item);
    return slot;
  };
  return async ({ location, ...attachment }, at) => {
    if ("fileId" in location) return find(location.fileId, { location, ...attachment });
    if (slots.every(isSlotFull)) return describeFull(slots);
    const fetched = await fetchAttachment(source, { ...attachment, location });
    if (typeof fetched === "string") return fetched;
    const file = {
      ...fetched,
      tenantId,
      id: deriveFileId(executionId, { input: "", at }),
      creator,
      retentionDays: storedFileLimits.defaultRetentionDays,
      now: runtime.clock(),
      sender: toFileSender(connector.id, message),
    };
    const item = await buildFileItem(file);
    const slot = findSlot(slots, item);
    if (typeof slot === "string") return slot;
    const exceeded = await reserveBytes(db, { tenantId, bytes: item.bytes, now: file.now });
    if (exceeded !== undefined) return `it ${exceeded}`;
    slot.files.push(await storeFile({ db, files: files.objects }, { ...file, item }));
    return undefined;
  };
};

const findMaxBytes = (slots: readonly Slot[]): number =>
  Math.max(...slots.map(({ maxBytes }) => maxBytes));

const describeFull = (slots: readonly Slot[]): string => {
  const most = slots.reduce((sum, { maxFiles }) => sum + maxFiles, 0);
  return `this agent takes ${most === 1 ? "one such file" : `${most} such files`}`;
};

/** Finds the input of a file; returns why none takes it. */
const findSlot = (slots: readonly Slot[], item: FileItem): Slot | string => {
  const found = findFileSlot(slots, item);
  if (!("reason" in found)) return found;
  switch (found.reason) {
    case "type":
      return `this agent takes no files of the type ${item.mediaType}`;
    case "size":
      return `it is larger than ${formatBytes(findMaxBytes(found.closest))}`;
    case "full":
      return describeFull(found.closest);
  }
};
