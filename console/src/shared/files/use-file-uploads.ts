import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { uploadFile } from "../../../../client/upload-file.ts";
import { useClient } from "../../session/session-context.ts";
import { useTenant } from "../../session/tenant.ts";
import { shownProblem } from "../problem.ts";
import { type AcceptedFiles, countAccepted, findRefusal, findSizeRefusal } from "./find-refusal.ts";
import type { FormFile } from "./input-files.ts";
import { putWithProgress } from "./put-with-progress.ts";
import { isFileId } from "./stored-value.ts";
import { readFile } from "./use-stored-file.ts";

/**
 * A file that is being added to an input. `percent`: how much of a larger one is uploaded. `reason` is set when it was refused,
 * and reads on after the name.
 */
export type AddedFile = { key: number; name: string; percent?: number; reason?: string };

type UploadsOptions = {
  accepted: AcceptedFiles;
  files: readonly FormFile[];
  onChange: (files: readonly FormFile[]) => void;
};

/** Uploads files and adds them to an input, one after the other; a refused one is kept with its reason. */
export const useFileUploads = (options: UploadsOptions) => {
  const client = useClient();
  const tenant = useTenant();
  const [added, setAdded] = useState<readonly AddedFile[]>([]);
  const latest = useRef(options);
  latest.current = options;
  const count = useRef(0);
  const queue = useRef(Promise.resolve());
  const aborts = useRef(new Map<number, AbortController>());
  useEffect(() => {
    const started = aborts.current;
    return () => {
      for (const abort of started.values()) abort.abort();
    };
  }, []);

  const forget = (key: number): void => {
    aborts.current.get(key)?.abort();
    aborts.current.delete(key);
    setAdded((before) => before.filter((file) => file.key !== key));
  };
  const change = (key: number, part: Partial<AddedFile>): void =>
    setAdded((before) => before.map((file) => (file.key === key ? { ...file, ...part } : file)));
  /** Adds a file, which may be refused; `bringIn` reads or uploads it. */
  const bring = (
    name: string,
    bringIn: (signal: AbortSignal, key: number) => Promise<FormFile | string>,
  ): void => {
    count.current += 1;
    const key = count.current;
    const abort = new AbortController();
    aborts.current.set(key, abort);
    setAdded((before) => [...before, { key, name }]);
    const end = (result: FormFile | string): void => {
      if (abort.signal.aborted) return;
      if (typeof result === "string") {
        change(key, { reason: result });
        return;
      }
      // Another field may end an upload before the next drawing.
      flushSync(() => {
        const { accepted, files, onChange } = latest.current;
        forget(key);
        onChange(accepted.multiple ? [...files, result] : [result]);
      });
    };
    queue.current = queue.current
      .then(() => (abort.signal.aborted ? "" : bringIn(abort.signal, key)))
      .then(end, (error: unknown) => end(formatReason(error)));
  };

  const addFiles = (chosen: readonly File[]): void => {
    const { accepted, files } = latest.current;
    const most = countAccepted(accepted);
    const taken = accepted.multiple ? files.length : 0;
    for (const [at, file] of chosen.entries()) {
      const { name, size } = file;
      bring(name, async (signal, key) => {
        if (taken + at >= most) return `was not added: at most ${most} are accepted.`;
        const tooLarge = findSizeRefusal(accepted, size);
        if (tooLarge !== undefined) return tooLarge;
        const put = putWithProgress((percent) => change(key, { percent }));
        const stored = await uploadFile(client, { tenant, name, content: file, signal, put });
        return findRefusal(accepted, stored) ?? toFormFile(stored);
      });
    }
  };
  /** Adds the file at an address, or a stored one. Returns whether the text is either. */
  const addReference = (text: string): boolean => {
    const { accepted } = latest.current;
    if (isFileId(text)) {
      bring(text, async () => {
        const stored = await readFile(client, tenant, text);
        return findRefusal(accepted, stored) ?? toFormFile(stored);
      });
      return true;
    }
    if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
    bring(text, async () => ({ file: { url: text }, value: { url: text } }));
    return true;
  };
  return { added, addFiles, addReference, forget };
};

const toFormFile = ({
  id,
  name,
  mediaType,
  bytes,
}: {
  id: string;
  name: string;
  mediaType: string;
  bytes: number;
}): FormFile => {
  const file = { id, name, mediaType, bytes };
  return { file, value: file };
};

/** Reads on after the file's name. */
const formatReason = (error: unknown): string => {
  const { title, detail, fields } = shownProblem(error);
  const details = fields.map((field) => field.detail).join("; ");
  return `was refused. ${[title, details || detail].filter((text) => text !== "").join(": ")}`;
};
