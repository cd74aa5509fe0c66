import type { PutContent } from "../../../../client/send-content.ts";

/** Sends a file to a URL, as `fetch` does, and reports its progress in percent. */
export const putWithProgress =
  (onProgress: (percent: number) => void): PutContent =>
  (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded }) =>
        onProgress(Math.round((100 * loaded) / body.size));
      request.onload = () => {
        const { status } = request;
        resolve({ ok: status >= 200 && status < 300, status });
      };
      request.onerror = () => reject(new TypeError("The storage cannot be reached."));
      request.onabort = () => reject(new DOMException("The upload was cancelled.", "AbortError"));
      signal?.addEventListener("abort", () => request.abort());
      request.send(body);
    });
