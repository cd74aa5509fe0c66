/** Limits of processor time for tenants' text, in milliseconds; documented in docs/limits.md. */
export const processorLimits = {
  /** One expression. */
  expressionMs: 1_000,
  /** One check of a value against a JSON Schema. */
  schemaMs: 500,
  /** Reading a skill's markdown with its front matter. */
  markdownMs: 3_000,
  /** Parsing one OpenAPI document, or reading the values that an expression sees. */
  documentMs: 10_000,
  /** All of a webhook delivery's work for one subscription: its filter, its input, the agent's schemas. */
  deliveryMs: 5_000,
  /** All `match` expressions for one webhook delivery, of every wait; or of one wait for the deliveries before it. */
  eventMs: 30_000,
  /** All of one request of the API, apart from the execution that it runs. */
  requestMs: 10_000,
  /** Reading and counting the documents of a source for one estimate. */
  estimateMs: 20_000,
  /** All of one run of an execution, its sub-agents included. */
  executionMs: 30_000,
} as const;

/** Heap of the sandbox thread, in megabytes. */
export const sandboxMegabytes = 192;
