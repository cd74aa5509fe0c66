import { expect, test } from "vitest";
import { signPost } from "./sign-post.ts";

/* The package aws4fetch, by which the AI SDK calls Bedrock, gives this request the same signature. */
test("a POST has the signature of AWS Signature Version 4", () => {
  const headers = signPost(
    {
      accessKeyId: "AKIDEXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
      sessionToken: "token",
    },
    {
      url: new URL(
        "https://bedrock-runtime.eu-central-1.amazonaws.com/guardrail/abc1/version/2/apply",
      ),
      body: '{"a":1}',
      region: "eu-central-1",
      service: "bedrock",
      now: Date.UTC(2026, 10, 25, 12, 30),
    },
  );
  expect(headers).toEqual({
    "content-type": "application/json",
    "x-amz-date": "20261125T123000Z",
    "x-amz-security-token": "token",
    authorization:
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261125/eu-central-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, Signature=4c3263baca976f73dcd64ac38dbf78befd3d70033339f06f1d4c3596fe43bab3",
  });
});
