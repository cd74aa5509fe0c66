import type { ServerResponse } from "node:http";
import type { Guard } from "../access/guard.ts";
import { localAccount, localRegion } from "../template/physical.ts";
import { createVectorBuckets } from "./vector-buckets.ts";
import { readOperation } from "./vector-operations.ts";
import { VectorsFault } from "./vectors-fault.ts";

/** Handles requests of S3 Vectors. */
export type VectorsEndpoint = {
  handle: (
    caller: string,
    request: { operation: string; body: Buffer },
    response: ServerResponse,
  ) => void;
  close: () => void;
};

/** Creates the S3 Vectors endpoint: exact search over the indexes in a directory. */
export const createVectorsEndpoint = (
  directory: string,
  buckets: readonly string[],
  guard: Guard,
): VectorsEndpoint => {
  const store = createVectorBuckets(directory, buckets);

  const run = (caller: string, name: string, body: Buffer): unknown => {
    const operation = readOperation(name, body);
    const resource = buildVectorArn(operation.vectorBucketName, operation.indexName);
    const refusal = guard(
      caller,
      operation.actions.map((action) => ({ action, resource })),
    );
    if (refusal !== undefined) throw new VectorsFault("AccessDeniedException", refusal);
    return operation.run(store);
  };

  return {
    handle: (caller, { operation, body }, response) => {
      try {
        send(response, 200, run(caller, operation, body));
      } catch (error) {
        if (!(error instanceof VectorsFault)) {
          send(response, 500, { message: String(error) }, "InternalServerException");
          return;
        }
        send(response, error.status, { message: error.message }, error.type);
      }
    },
    close: store.close,
  };
};

const buildVectorArn = (bucket: string, index: string): string =>
  `arn:aws:s3vectors:${localRegion}:${localAccount}:bucket/${bucket}${index && `/index/${index}`}`;

const send = (response: ServerResponse, status: number, body: unknown, fault?: string): void => {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(fault !== undefined && { "x-amzn-errortype": fault }),
  });
  response.end(text);
};
