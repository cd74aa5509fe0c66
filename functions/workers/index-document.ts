import { consumer } from "../../lib/edge/consumer.ts";
import { indexUpload } from "../../lib/knowledge/document/index-upload.ts";
import { extractText } from "../../lib/knowledge/files/extract-text.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { countEmbeddings } from "../../lib/spending/usage/count-other-usage.ts";
import { indexingDeps } from "../deps/indexing-deps.ts";
import * as rows from "./messages.ts";

/** Time reserved for recording an outcome before the timeout. */
const finishMs = 20_000;

const deps = () => ({ ...indexingDeps(), countEmbeddings, send, extract: extractText });

export const handler = consumer(
  rows.indexDocument,
  deps,
  (message, deps, { deadline, attempt }) => {
    const signal = AbortSignal.timeout(Math.max(1, deadline - finishMs - systemRuntime.clock()));
    return indexUpload(deps, { message, attempt: { attempt, signal } });
  },
);
