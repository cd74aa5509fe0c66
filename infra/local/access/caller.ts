import type { IncomingMessage } from "node:http";
import { presignedIn } from "./presigned.ts";

/** Splits the SigV4 credential scope: access key ID, date, region, service, `aws4_request`. */
const splitCredentialScope = (authorization: string | undefined): string[] => {
  const [, credential = ""] = (authorization ?? "").split("Credential=", 2);
  const [scope = ""] = credential.split(/[,\s]/, 1);
  return scope.split("/", 5);
};

/** Returns the access key ID in a SigV4 `Authorization` header, or "". */
export const readAccessKeyId = (authorization: string | undefined): string =>
  splitCredentialScope(authorization)[0] ?? "";

/** Returns the service in a SigV4 `Authorization` header, or "". */
export const signedFor = (authorization: string | undefined): string =>
  splitCredentialScope(authorization)[3] ?? "";

/** Returns the `Authorization` header of a request, or what a presigned URL has in its place. */
export const readAuthorization = ({
  headers,
  url = "",
}: Pick<IncomingMessage, "headers" | "url">): string | undefined => {
  if (headers.authorization !== undefined) return headers.authorization;
  const credential = presignedIn(url)?.get("X-Amz-Credential");
  return credential ? `AWS4-HMAC-SHA256 Credential=${credential}` : undefined;
};

/** Builds an `Authorization` header for a caller. Local services verify the session token, not the signature. */
export const signedAs = (caller: string, service: string): string =>
  `AWS4-HMAC-SHA256 Credential=${caller}/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host;x-amz-date, Signature=local`;
