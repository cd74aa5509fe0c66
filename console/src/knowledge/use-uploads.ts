import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { uploadDocument } from "../../../client/upload-document.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { shownProblem } from "../shared/problem.ts";
import { documentsKey } from "./use-documents.ts";

/** A file that is being uploaded to an asset; `reason` is set when it was refused. */
export type Upload = {
  key: number;
  file: File;
  status: "Waiting" | "Sending" | "Sent" | "Refused";
  reason?: string;
};

/** The files chosen so far, and how more are added. */
export type Uploads = {
  files: readonly Upload[];
  add: (files: readonly File[]) => void;
  clear: () => void;
};

const atOnce = 3;
const largestDocument = 64 * 1_024 * 1_024;
const tooLarge = "has more than 64 MB.";

/** Uploads files to an asset, three at a time; the others continue when one is refused. */
export const useUploads = (asset: string): Uploads => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  const [files, setFiles] = useState<readonly Upload[]>([]);
  const waiting = useRef<Upload[]>([]);
  const running = useRef(0);
  const added = useRef(0);
  useWarningBeforeLeaving(files.some(isUnderWay));

  const change = (key: number, part: Partial<Upload>): void =>
    setFiles((before) =>
      before.map((upload) => (upload.key === key ? { ...upload, ...part } : upload)),
    );
  const send = async ({ key, file }: Upload): Promise<void> => {
    if (file.size > largestDocument) return change(key, { status: "Refused", reason: tooLarge });
    change(key, { status: "Sending" });
    try {
      const { name, type } = file;
      await uploadDocument(client, { tenant, asset }, { name, type, content: file });
      change(key, { status: "Sent" });
      // One reading at a time is enough for all files.
      const queryKey = documentsKey(tenant, asset);
      void cache.invalidateQueries({ queryKey }, { cancelRefetch: false });
    } catch (error) {
      change(key, { status: "Refused", reason: formatReason(error) });
    }
  };
  const work = async (): Promise<void> => {
    running.current += 1;
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) await send(next);
    running.current -= 1;
  };
  const add = (chosen: readonly File[]): void => {
    const uploads = chosen.map((file): Upload => {
      added.current += 1;
      return { key: added.current, file, status: "Waiting" };
    });
    setFiles((before) => [...before, ...uploads]);
    waiting.current.push(...uploads);
    while (running.current < atOnce && waiting.current.length > 0) void work();
  };
  return { files, add, clear: () => setFiles((before) => before.filter(isUnderWay)) };
};

/** Reports whether a file has not been sent or refused yet. */
export const isUnderWay = ({ status }: Upload): boolean =>
  status === "Waiting" || status === "Sending";

/** Reads on after the file's name. */
const formatReason = (error: unknown): string => {
  const { title, detail, fields } = shownProblem(error);
  const details = fields.map((field) => field.detail).join("; ");
  return `was refused. ${[title, details || detail].filter((text) => text !== "").join(": ")}`;
};

const useWarningBeforeLeaving = (isActive: boolean): void =>
  useEffect(() => {
    if (!isActive) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isActive]);
