import type { Access } from "../template/authorizer.ts";

/** The parts of an HTTP request that determine its S3 operation. */
export type S3Request = {
  method: string;
  /** Path and query as sent. */
  url: string;
  /** The `x-amz-copy-source` header. */
  copySource: string | undefined;
};

const subresources: Readonly<Record<string, string>> = {
  tagging: "ObjectTagging",
  acl: "ObjectAcl",
  attributes: "ObjectAttributes",
};

/** Returns the accesses of a path-style S3 request, or undefined for an unsupported operation. */
export const s3Access = ({ method, url, copySource }: S3Request): Access[] | undefined => {
  const { pathname, searchParams } = new URL(url, "http://s3.invalid");
  const [, bucket = "", ...rest] = pathname.split("/");
  const key = rest.map(decodeURIComponent).join("/");
  const bucketArn = `arn:aws:s3:::${bucket}`;
  const resource = `${bucketArn}/${key}`;
  if (key === "") return bucketAccess(method, searchParams, bucketArn);
  const subresource = Object.keys(subresources).find((name) => searchParams.has(name));
  if (subresource !== undefined) {
    const verb = new Map([
      ["GET", "Get"],
      ["PUT", "Put"],
      ["DELETE", "Delete"],
    ]).get(method);
    return verb === undefined
      ? undefined
      : [{ action: `s3:${verb}${subresources[subresource]}`, resource }];
  }
  switch (method) {
    case "GET":
    case "HEAD":
      return [
        {
          action: searchParams.has("uploadId") ? "s3:ListMultipartUploadParts" : "s3:GetObject",
          resource,
        },
      ];
    case "PUT":
      return [{ action: "s3:PutObject", resource }, ...copied(copySource)];
    case "POST":
      return [{ action: "s3:PutObject", resource }];
    case "DELETE":
      return [
        {
          action: searchParams.has("uploadId") ? "s3:AbortMultipartUpload" : "s3:DeleteObject",
          resource,
        },
      ];
    default:
      return undefined;
  }
};

const bucketAccess = (
  method: string,
  query: URLSearchParams,
  resource: string,
): Access[] | undefined => {
  if (method === "POST" && query.has("delete")) {
    return [{ action: "s3:DeleteObject", resource: `${resource}/*` }];
  }
  if (method === "HEAD" || (method === "GET" && query.size === 0))
    return [{ action: "s3:ListBucket", resource }];
  if (method !== "GET") return undefined;
  if (query.has("uploads")) return [{ action: "s3:ListBucketMultipartUploads", resource }];
  if (query.has("location")) return [{ action: "s3:GetBucketLocation", resource }];
  return [{ action: "s3:ListBucket", resource }];
};

const copied = (source: string | undefined): Access[] =>
  source === undefined
    ? []
    : [
        {
          action: "s3:GetObject",
          resource: `arn:aws:s3:::${decodeURIComponent(source).replace(/^\//, "")}`,
        },
      ];
