/**
 * Limits of a call that writes vectors.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-vectors-limitations.html
 */
const maxVectors = 500;
const maxRequestBytes = 20 * 1024 * 1024;

/** Most bytes of a number in JSON with its comma, and of the key and the metadata of a vector. */
const numberBytes = 25;
const otherBytes = 8_192;

/** Returns how many vectors of a dimension one call may write. */
export const vectorsPerWrite = (dimension: number): number =>
  Math.min(maxVectors, Math.floor(maxRequestBytes / (dimension * numberBytes + otherBytes)));
