import {
  DeleteIndexCommand,
  paginateListIndexes,
  S3VectorsClient,
} from "@aws-sdk/client-s3vectors";

/** Deletes all indexes of a vector bucket with their vectors: CloudFormation deletes only an empty vector bucket. */
export const deleteVectorIndexes = async (vectorBucketArn: string): Promise<void> => {
  const client = new S3VectorsClient({});
  try {
    const found: string[] = [];
    for await (const { indexes = [] } of paginateListIndexes({ client }, { vectorBucketArn })) {
      found.push(...indexes.flatMap(({ indexArn }) => indexArn ?? []));
    }
    for (const indexArn of found) await client.send(new DeleteIndexCommand({ indexArn }));
  } finally {
    client.destroy();
  }
};
