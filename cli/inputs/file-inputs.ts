import { uploadFile } from "../../client/upload-file.ts";
import { isUuid } from "../../lib/platform/http/ids.ts";
import { type FileReference, readFileReference } from "../../lib/values/json/file-value.ts";
import { usage } from "../exit.ts";
import type { Io } from "../io.ts";
import { parseJson } from "../parse-json.ts";
import { progressOn } from "../progress.ts";
import type { Session } from "../session.ts";
import { type LocalFile, openUpload } from "../stored-files/open-upload.ts";
import type { DeclaredInput } from "./declared-inputs.ts";
import type { GivenInputs } from "./read-inputs.ts";

type GivenFile = FileReference | { readonly upload: LocalFile };

/** Files of a command line for one input. */
type FileInput = { declared: DeclaredInput; files: GivenFile[] };

/**
 * Reads the texts of inputs of the type File: `@PATH`, an address, an id, or JSON. Returns the others as they are. Throws a
 * usage error; nothing is uploaded yet.
 */
export const takeFileInputs = async (
  given: GivenInputs,
  declared: readonly DeclaredInput[] | undefined,
  io: Io,
): Promise<{ others: GivenInputs; files: readonly FileInput[] }> => {
  const inputs = new Map<string, FileInput>();
  const texts: (readonly [string, string])[] = [];
  for (const [name, text] of given.texts) {
    const found = declared?.find((input) => input.name === name && input.type === "File");
    if (!found) {
      texts.push([name, text]);
      continue;
    }
    const files: GivenFile[] = inputs.get(name)?.files ?? [];
    // Of options with one value, the last one counts.
    if (!found.multiple) files.length = 0;
    files.push(...(await readFiles(found, text, io)));
    inputs.set(name, { declared: found, files });
  }
  return { others: { ...given, texts }, files: [...inputs.values()] };
};

const forms = "must be @PATH, an http or https address, the id of a stored file, or JSON";

const readFiles = async (
  { name, maxBytes }: DeclaredInput,
  text: string,
  io: Io,
): Promise<GivenFile[]> => {
  if (text.startsWith("@")) {
    const upload = await openUpload(text.slice(1), io);
    const { size } = upload.content;
    if (size <= (maxBytes ?? size)) return [{ upload }];
    throw usage(
      `--input ${name}: ${text.slice(1)} has ${size} bytes; at most ${maxBytes} are accepted.`,
    );
  }
  if (isUuid(text)) return [{ fileId: text }];
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return [{ url: text }];
  const value = parseJson(text);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => {
    const reference = readFileReference(one);
    if (typeof reference !== "string") return reference;
    throw usage(`--input ${name} ${value === undefined ? forms : reference}: its type is File`);
  });
};

/** Stores the files of inputs that are paths, and returns the values of all. */
export const uploadFileInputs = async (
  { client, tenant }: Pick<Session, "client" | "tenant">,
  inputs: readonly FileInput[],
  io: Io,
): Promise<Record<string, unknown>> => {
  const progress = progressOn(io);
  const values: Record<string, unknown> = {};
  try {
    for (const { declared, files } of inputs) {
      const sent: FileReference[] = [];
      for (const file of files) {
        if (!("upload" in file)) {
          sent.push(file);
          continue;
        }
        progress.show(`Uploading ${file.upload.name}…`);
        const { id } = await uploadFile(client, { tenant, ...file.upload });
        sent.push({ fileId: id });
      }
      values[declared.name] = declared.multiple ? sent : sent[0];
    }
  } finally {
    progress.clear();
  }
  return values;
};
