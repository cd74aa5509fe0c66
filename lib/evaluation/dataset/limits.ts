/** Maximum examples of one request. */
export const maxExamplesPerRequest = 1_000;

/** Maximum executions of one request that makes examples of them. */
export const maxExecutionsPerRequest = 100;

/** Maximum examples of a dataset. */
export const maxExamples = 100_000;

/** Maximum bytes of an example's JSON. */
export const maxExampleBytes = 1_048_576;
