const credential = /Credential=([^/,\s]+)\//;

const service = /Credential=[^,\s]+\/([^/,\s]+)\/aws4_request/;

/** Who signed a request: the access key id in its SigV4 `Authorization` header, or "". */
export const callerOf = (authorization: string | undefined): string =>
  credential.exec(authorization ?? "")?.[1] ?? "";

/** The service that a request was signed for, as its SigV4 `Authorization` header says, or "". */
export const signedFor = (authorization: string | undefined): string =>
  service.exec(authorization ?? "")?.[1] ?? "";

/** An `Authorization` header that names a caller; local services read the name and check no signature. */
export const signedAs = (caller: string, service: string): string =>
  `AWS4-HMAC-SHA256 Credential=${caller}/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host;x-amz-date, Signature=local`;
