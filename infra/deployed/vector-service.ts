import { ListVectorBucketsCommand, S3VectorsClient } from "@aws-sdk/client-s3vectors";
import { CommandError } from "../shell/command.ts";

/**
 * Throws a CommandError if the region has no S3 Vectors, before any stack is deployed. Only a missing host says so: any
 * response, a refused one too, comes from the service.
 */
export const requireVectorService = async (): Promise<void> => {
  const client = new S3VectorsClient({ maxAttempts: 2 });
  try {
    await client.send(new ListVectorBucketsCommand({ maxResults: 1 }));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOTFOUND")) return;
    throw new CommandError(
      `${error.message}: S3 Vectors, which searches in documents use, has no endpoint in ${await client.config.region()}, or this machine has no network. Nothing was deployed. Choose a region of https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-vectors-regions-quotas.html.`,
    );
  } finally {
    client.destroy();
  }
};
