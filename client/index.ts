export {
  type ClientOptions,
  type Credentials,
  createClient,
  unwrapBody,
  type WharfClient,
} from "./client.ts";
export { readEvents, type ServerEvent } from "./event-stream.ts";
export {
  type ExecutionEvent,
  type StreamedExecution,
  startExecution,
  streamExecution,
} from "./execution-events.ts";
export type * from "./openapi.ts";
export { iterateItems, type Page, type PageLimits, type PageQuery, pageQuery } from "./pages.ts";
export { type FieldProblem, ProblemError, toProblemError } from "./problem-error.ts";
export type { RetryOptions } from "./retry.ts";
export { type DocumentFile, uploadDocument } from "./upload-document.ts";
export { type FileUpload, uploadFile } from "./upload-file.ts";
