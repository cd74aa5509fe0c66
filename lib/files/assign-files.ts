import { buildPointer, type JsonObject } from "../values/json/json.ts";
import type { ParameterDescriptor } from "../values/json/parameters.ts";
import { findFileSlot, findMissingFile, openFileSlots, toFileInputs } from "./file-slots.ts";
import type { SentFile } from "./sent-file.ts";

/** Pointers to parts of a request, by the pointers to the inputs that have their files. */
export type FilePlaces = ReadonlyMap<string, string>;

/** Inputs with files, and one that must have a file and has none, or the file that no input takes. */
export type AssignedFiles =
  | {
      readonly input: JsonObject;
      readonly places: FilePlaces;
      readonly missing?: ParameterDescriptor;
    }
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
 * Decides which input of an agent gets which file of a message, by `findFileSlot`. An input with `multiple` collects files, in the order
 * of the conversation. An input that has a value takes none.
 */
export const assignFiles = (
  parameters: readonly ParameterDescriptor[],
  { files, earlier = [], given }: FilesOfMessage,
): AssignedFiles => {
  const slots = openFileSlots<SentFile>(parameters, { given });
  const take = (file: SentFile): boolean => {
    const found = findFileSlot(slots, { mediaType: file.mediaType, bytes: countBytes(file) });
    if ("reason" in found) return false;
    found.files.push(file);
    return true;
  };
  const refused = files.find((file) => !take(file));
  if (refused) {
    const all = parameters.filter(({ type }) => type === "File");
    return { refused, detail: describeRefusal(all, refused) };
  }
  for (const file of earlier.toReversed()) take(file);
  const ordered = slots.map((slot) => ({
    ...slot,
    files: [...earlier, ...files].filter((file) => slot.files.includes(file)),
  }));
  const places = new Map<string, string>();
  for (const { descriptor, files: own } of ordered) {
    const { name, multiple } = descriptor;
    const [first] = own;
    if (!first) continue;
    places.set(buildPointer("input", name), first.pointer);
    if (!multiple) continue;
    for (const [at, { pointer }] of own.entries()) {
      places.set(buildPointer("input", name, at), pointer);
    }
  }
  const input = toFileInputs(ordered, ({ reference }) => ({ ...reference }));
  const missing = findMissingFile(slots);
  return { input, places, ...(missing && { missing }) };
};

/** Returns the bytes of content that is sent inline; 0 of another file, which is not read yet. */
const countBytes = ({ reference }: SentFile): number =>
  "base64" in reference ? Buffer.byteLength(reference.base64, "base64") : 0;

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
