/** The parts of the SigV4 credential scope: access key id, date, region, service, `aws4_request`. */
const scopeOf = (authorization: string | undefined): string[] => {
  const [, credential = ""] = (authorization ?? "").split("Credential=", 2);
  const [scope = ""] = credential.split(/[,\s]/, 1);
  return scope.split("/", 5);
};

/** Who signed a request: the access key id in its SigV4 `Authorization` header, or "". */
export const callerOf = (authorization: string | undefined): string =>
  scopeOf(authorization)[0] ?? "";

/** The service that a request was signed for, as its SigV4 `Authorization` header says, or "". */
export const signedFor = (authorization: string | undefined): string =>
  scopeOf(authorization)[3] ?? "";

/** An `Authorization` header that names a caller; local services read the name and check no signature. */
export const signedAs = (caller: string, service: string): string =>
  `AWS4-HMAC-SHA256 Credential=${caller}/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host;x-amz-date, Signature=local`;
