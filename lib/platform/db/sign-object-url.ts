import { bucketName } from "../runtime/env.ts";

const validSeconds = 900;

/** Returns a URL that reads one object of the bucket for 15 minutes, with this function's permission. */
export const signObjectUrl = async (Key: string): Promise<string> => {
  const [{ GetObjectCommand, S3Client }, { getSignedUrl }] = await Promise.all([
    import("@aws-sdk/client-s3"),
    import("@aws-sdk/s3-request-presigner"),
  ]);
  const command = new GetObjectCommand({ Bucket: bucketName(), Key });
  return getSignedUrl(new S3Client(), command, { expiresIn: validSeconds });
};
