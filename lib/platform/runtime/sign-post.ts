import { createHmac, hash } from "node:crypto";

/** Credentials of an AWS role or user. */
export type AwsCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
};

/**
 * Returns the headers that sign a POST with a JSON body (AWS Signature Version 4).
 * @param url without a query; its path has only letters, digits and slashes
 * @param now Unix milliseconds
 */
export const signPost = (
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
  {
    url: { host, pathname },
    body,
    region,
    service,
    now,
  }: { url: URL; body: string; region: string; service: string; now: number },
): Record<string, string> => {
  const date = new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const day = date.slice(0, 8);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const headers = {
    "content-type": "application/json",
    "x-amz-date": date,
    ...(sessionToken !== undefined && { "x-amz-security-token": sessionToken }),
  };
  const signed = Object.entries({ ...headers, host }).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const names = signed.map(([name]) => name).join(";");
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join("");
  const canonical = `POST\n${pathname}\n\n${lines}\n${names}\n${hash("sha256", body)}`;
  const toSign = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash("sha256", canonical)}`;
  const key = [day, region, service, "aws4_request"].reduce(
    (derived, part) => createHmac("sha256", derived).update(part).digest(),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  const signature = createHmac("sha256", key).update(toSign).digest("hex");
  const credential = `Credential=${accessKeyId}/${scope}`;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
};
