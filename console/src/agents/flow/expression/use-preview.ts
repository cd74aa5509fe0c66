import { useEffect, useRef, useState } from "react";
import type { PreviewRequest, PreviewResponse } from "./preview-worker.ts";

/** The value of an expression, or why it has none. */
export type Preview = { text: string } | { error: string };

const pauseMs = 250;
const limitMs = 1_500;

/** Evaluates a template over the values of a run while it is typed; undefined without values. */
export const usePreview = (
  text: string,
  values: PreviewRequest["values"] | undefined,
): Preview | undefined => {
  const [shown, setShown] = useState<Preview>();
  const worker = useRef<Worker>(undefined);
  const number = useRef(0);
  useEffect(() => () => worker.current?.terminate(), []);
  useEffect(() => {
    if (!values || !text.includes("{%")) {
      setShown(undefined);
      return;
    }
    number.current += 1;
    const request: PreviewRequest = { number: number.current, text, values };
    let limit: number | undefined;
    const receive = ({ data }: MessageEvent<PreviewResponse>): void => {
      if (data.number !== request.number) return;
      clearTimeout(limit);
      setShown(data);
    };
    const pause = setTimeout(() => {
      worker.current ??= new Worker(new URL("./preview-worker.ts", import.meta.url), {
        type: "module",
      });
      worker.current.addEventListener("message", receive);
      worker.current.postMessage(request);
      limit = window.setTimeout(() => {
        worker.current?.terminate();
        worker.current = undefined;
        setShown({ error: "The expression takes too long." });
      }, limitMs);
    }, pauseMs);
    return () => {
      clearTimeout(pause);
      clearTimeout(limit);
      worker.current?.removeEventListener("message", receive);
    };
  }, [text, values]);
  return shown;
};
