import { couldAccept, maxFilesOfInput } from "../values/json/file-value.ts";
import { buildPointer, type Json, type JsonObject, setMember } from "../values/json/json.ts";
import type { ParameterDescriptor } from "../values/json/parameters.ts";
import type { SentFile } from "./sent-file.ts";

/** Pointers to parts of a request, by the pointers to the inputs that have their files. */
export type FilePlaces = ReadonlyMap<string, string>;

/** Inputs with files, or the file that no input takes. */
export type AssignedFiles =
  | { readonly input: JsonObject; readonly places: FilePlaces }
  | { readonly refused: SentFile; readonly detail: string };

/** Files of a message, and the inputs that it names itself. */
export type FilesOfMessage = {
  readonly files: readonly SentFile[];
  /** Files of earlier messages, which fill the room that is left: those of the latest message first. */
  readonly earlier?: readonly SentFile[];
  /** Inputs that have a value. */
  readonly given: JsonObject;
};

/**
 * Decides which input of an agent gets which file of a message: the first one of the type File that accepts its media type and size
 * and has room. An input with `multiple` collects files, in the order of the conversation. An input that has a value takes none.
 */
export const assignFiles = (
  parameters: readonly ParameterDescriptor[],
  { files, earlier = [], given }: FilesOfMessage,
): AssignedFiles => {
  const all = parameters.filter(({ type }) => type === "File");
  const free = all.filter(({ name }) => !Object.hasOwn(given, name));
  const taken = new Map<SentFile, ParameterDescriptor>();
  const countFiles = (input: ParameterDescriptor): number =>
    [...taken.values()].filter((taker) => taker === input).length;
  const take = (file: SentFile): boolean => {
    const taker = free.find(
      (input) =>
        couldAccept(input.accept, file.mediaType) &&
        countBytes(file) <= (input.maxBytes ?? Number.POSITIVE_INFINITY) &&
        countFiles(input) < maxFilesFor(input),
    );
    if (taker) taken.set(file, taker);
    return taker !== undefined;
  };
  const refused = files.find((file) => !take(file));
  if (refused) return { refused, detail: describeRefusal(all, refused) };
  for (const file of earlier.toReversed()) take(file);
  const input: Record<string, Json> = {};
  const places = new Map<string, string>();
  for (const descriptor of free) {
    const { name, multiple } = descriptor;
    const own = [...earlier, ...files].filter((file) => taken.get(file) === descriptor);
    const [first] = own;
    if (!first) continue;
    const references = own.map(({ reference }) => ({ ...reference }));
    setMember(input, name, multiple ? references : { ...first.reference });
    places.set(buildPointer("input", name), first.pointer);
    if (!multiple) continue;
    for (const [at, { pointer }] of own.entries()) {
      places.set(buildPointer("input", name, at), pointer);
    }
  }
  return { input, places };
};

/** Returns the bytes of content that is sent inline; 0 of another file, which is not read yet. */
const countBytes = ({ reference }: SentFile): number =>
  "base64" in reference ? Buffer.byteLength(reference.base64, "base64") : 0;

const maxFilesFor = ({ multiple }: ParameterDescriptor): number => (multiple ? maxFilesOfInput : 1);

/** Describes why no input takes a file. */
const describeRefusal = (inputs: readonly ParameterDescriptor[], file: SentFile): string => {
  if (inputs.length === 0) return "is a file, and the agent has no input of the type File";
  const names = inputs.map(({ name, accept, maxBytes }) => {
    const types = accept?.length ? accept.join(", ") : "any type";
    const most = maxBytes ? `, at most ${maxBytes} bytes` : "";
    return `${JSON.stringify(name)} (${types}${most})`;
  });
  const type = file.mediaType === undefined ? "" : ` of the type ${file.mediaType}`;
  const bytes = countBytes(file);
  const size = bytes === 0 ? "" : ` with ${bytes} bytes`;
  return `is a file${type}${size}, for which no input is left: the agent has ${names.join(", ")}`;
};
