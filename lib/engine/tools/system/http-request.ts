import type { OutgoingOptions } from "../../../platform/outgoing/request.ts";
import type { Tool } from "../tool.ts";
import { callHttp, readHeaders } from "./call-http.ts";
import { textParameter } from "./text-parameter.ts";

/** Tool `http_request`: sends any request to a public URL. */
export const createHttpRequest = (options: OutgoingOptions): Tool => ({
  descriptor: {
    id: "http_request",
    displayName: "HTTP request",
    description:
      "Sends a request to a public https URL; returns the response's status, headers and body. A binary body is a file.",
    actionType: "ReadWrite",
    resultType: "Json",
    parametersMetadata: [
      textParameter("method", "GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.", {
        required: true,
      }),
      textParameter("url", "The https URL.", { required: true }),
      textParameter("headers", 'Headers as a JSON object, such as {"accept": "text/plain"}.'),
      textParameter("body", "The body as text; JSON needs a content-type header."),
    ],
  },
  run: async ({ method = "", url = "", headers, body }, { signal, saveFile }) =>
    callHttp(
      { method, url, headers: readHeaders(headers), signal, ...(body ? { body } : {}) },
      options,
      { toolId: "http_request", saveFile },
    ),
});
