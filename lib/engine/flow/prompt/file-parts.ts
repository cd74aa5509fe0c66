import { isUtf8 } from "node:buffer";
import { formatValue } from "../../../values/json/json.ts";
import type { FlowFile } from "../../flow-file.ts";
import { findMediaKind, isTextType, toMediaType } from "../../models/file-kinds.ts";
import type { FilePart, FileParts, ModelMessage } from "../../models/model.ts";
import { StepError } from "../../step-error.ts";
import type { StepContext } from "../step-context.ts";
import type { ChosenModel } from "./choose-model.ts";
import { nameFile } from "./name-file.ts";

/** Bytes of the text of a file that a model gets. */
export const maxFileTextBytes = 400_000;

/** A file that a model does not take. */
export class FileRefusal extends StepError {}

/** The files of the messages of a Prompt. */
export type PreparedFiles = {
  /**
   * Does work with the files as a model gets them, as soon as there is room for their content. Throws a FileRefusal for one that
   * it does not take.
   */
  provide<Result>(
    chosen: ChosenModel,
    work: (parts: FileParts) => Promise<Result>,
  ): Promise<Result>;
  /** Returns why a model is known not to take one of the Prompt's own files; undefined for a model that may take them. */
  findRefusal(chosen: ChosenModel): string | undefined;
  /** Frees the room of their content. */
  close(): void;
};

/** Content or text of a file; a missing one has a reason, as the end of a sentence that begins with the file. */
type Loaded<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

type Loader = {
  content(file: FlowFile): Promise<Loaded<Uint8Array>>;
  /** Returns the text as guardrails leave it. */
  text(file: FlowFile): Promise<Loaded<string>>;
  /** Forgets all content, but not the texts. */
  drop(): void;
};

/**
 * Prepares the files of messages for models; undefined for messages without files. Every file is read once, whatever the number of models and turns, unless other
 * Prompts need its room in between. Of a file of an earlier turn that cannot be sent the model gets a note; `recalled` is the number of the
 * messages of those turns.
 */
export const prepareFiles = (
  messages: readonly ModelMessage[],
  recalled: number,
  context: Pick<StepContext, "files" | "guard" | "signal">,
): PreparedFiles | undefined => {
  const own = listFiles(messages.slice(recalled));
  const earlier = listFiles(messages.slice(0, recalled));
  const all = new Map([...earlier, ...own]);
  if (all.size === 0) return undefined;
  const loader = createLoader(context);
  const prepareOne = async (file: FlowFile, chosen: ChosenModel) => {
    const part = await toPart(file, chosen, loader);
    if (!("refusal" in part)) return [file.id, part] as const;
    if (own.has(file.id)) throw new FileRefusal("execution-failed", part.refusal);
    return [file.id, toNote(`${part.refusal} It is of an earlier turn.`)] as const;
  };
  const bytes = all.values().reduce((sum, file) => sum + file.bytes, 0);
  const place = context.files?.room.open(bytes, loader.drop);
  const prepare = async (chosen: ChosenModel): Promise<FileParts> =>
    new Map(await Promise.all([...all.values()].map((file) => prepareOne(file, chosen))));
  return {
    provide: (chosen, work) => {
      const use = async () => work(await prepare(chosen));
      return place ? place.use(context.signal, use) : use();
    },
    close: () => place?.close(),
    findRefusal: (chosen) =>
      [...own.values()]
        .filter((file) => toForm(file, chosen) === "none")
        .map((file) => describeRefusal(file, chosen))[0],
  };
};

const listFiles = (messages: readonly ModelMessage[]): ReadonlyMap<string, FlowFile> =>
  new Map(
    messages.flatMap((message) =>
      message.role === "user" ? (message.files ?? []).map((file) => [file.id, file] as const) : [],
    ),
  );

const toNote = (text: string): FilePart => ({ type: "text", text: `[${text}]` });

const createLoader = ({ files, guard }: Pick<StepContext, "files" | "guard">): Loader => {
  const contents = remember(async (file): Promise<Loaded<Uint8Array>> => {
    const value = await files?.read(file);
    return value ? { ok: true, value } : { ok: false, reason: "is no longer kept" };
  });
  const content = contents.get;
  const readText = async (file: FlowFile): Promise<Loaded<string>> => {
    if (isTextType(file.mediaType)) {
      const loaded = await content(file);
      if (!loaded.ok) return loaded;
      const { value } = loaded;
      if (isUtf8(value)) return { ok: true, value: new TextDecoder().decode(value) };
    }
    const read = await files?.readText(file);
    if (!read) return { ok: false, reason: "is no longer kept" };
    return read.ok ? { ok: true, value: read.text } : read;
  };
  return {
    content,
    drop: contents.clear,
    text: remember(async (file): Promise<Loaded<string>> => {
      const read = await readText(file);
      if (!read.ok) return read;
      const text = formatText(file, cutText(read.value));
      return { ok: true, value: formatValue(await guard("retrieval", text)) };
    }).get,
  };
};

/** Calls a function once for every file, until it is to forget them. */
const remember = <Value>(load: (file: FlowFile) => Promise<Value>) => {
  const loaded = new Map<string, Promise<Value>>();
  return {
    get: (file: FlowFile): Promise<Value> => {
      const known = loaded.get(file.id) ?? load(file);
      loaded.set(file.id, known);
      return known;
    },
    clear: () => loaded.clear(),
  };
};

const cutText = (text: string): string => {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxFileTextBytes) return text;
  const start = Buffer.from(text)
    .subarray(0, maxFileTextBytes)
    .toString()
    .replace(/\uFFFD$/, "");
  return `${start}\n[Cut: these are the first ${maxFileTextBytes} of ${bytes} bytes.]`;
};

/** Returns how a model gets a file; `none` for one that it is known not to take. */
const toForm = (
  { mediaType }: FlowFile,
  { provider, model }: ChosenModel,
): "media" | "text" | "none" => {
  const takes = provider.takes?.(model, mediaType) ?? "unknown";
  switch (findMediaKind(mediaType)) {
    case undefined:
      return "text";
    case "pdf":
      return takes === "yes" ? "media" : "text";
    default:
      return takes === "no" ? "none" : "media";
  }
};

const describeRefusal = (file: FlowFile, { providerId, model }: ChosenModel): string =>
  `${nameFile(file)} is of a type that the model ${providerId}/${model} does not take.`;

/** Returns a file as a model gets it, or why it does not get it. */
const toPart = async (
  file: FlowFile,
  chosen: ChosenModel,
  loader: Loader,
): Promise<FilePart | { readonly refusal: string }> => {
  const form = toForm(file, chosen);
  if (form === "none") return { refusal: describeRefusal(file, chosen) };
  if (form === "media") return toMedia(file, loader);
  const text = await loader.text(file);
  if (text.ok) return { type: "text", text: text.value };
  const { provider, model } = chosen;
  // A provider for tests takes what has no text, too.
  if (provider.takes?.(model, file.mediaType) === "yes") return toMedia(file, loader);
  const refusal = `${nameFile(file)} ${text.reason}.`;
  return {
    refusal: isTextType(file.mediaType) ? refusal : `${describeRefusal(file, chosen)} ${refusal}`,
  };
};

const toMedia = async (file: FlowFile, loader: Loader): Promise<FilePart | { refusal: string }> => {
  const loaded = await loader.content(file);
  if (!loaded.ok) return { refusal: `${nameFile(file)} ${loaded.reason}.` };
  const { name, mediaType } = file;
  return { type: "media", name, mediaType: toMediaType(mediaType), content: loaded.value };
};

const formatText = (file: FlowFile, text: string): string =>
  `${nameFile(file)}:\n${text}\n[End of the file.]`;
