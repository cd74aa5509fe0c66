import type { OutgoingOptions } from "../../../platform/outgoing/request.ts";
import type { Tool } from "../tool.ts";
import { callHttp, readHeaders } from "./call-http.ts";
import { textParameter } from "./text-parameter.ts";

/** Tool `http_get`: reads a public URL. */
export const createHttpGet = (options: OutgoingOptions): Tool => ({
  descriptor: {
    id: "http_get",
    displayName: "HTTP GET",
    description:
      "Reads a public https URL; returns its status, headers and body. A binary body is a file.",
    actionType: "ReadOnly",
    resultType: "Json",
    parametersMetadata: [
      textParameter("url", "The https URL.", { required: true }),
      textParameter("headers", 'Headers as a JSON object, such as {"accept": "text/plain"}.'),
    ],
  },
  run: async ({ url = "", headers }, { signal, saveFile }) =>
    callHttp({ url, headers: readHeaders(headers), signal }, options, {
      toolId: "http_get",
      saveFile,
    }),
});
