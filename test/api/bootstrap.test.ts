import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { OperatorJson } from "../../infra/local/operator-environment.ts";
import { call, stack } from "../harness/api.ts";
import { listen } from "../harness/listen.ts";

const run = promisify(execFile);
const Failure = z.looseObject({ code: z.number(), stderr: z.string() });
const Keys = z.looseObject({
  items: z.array(z.looseObject({ name: z.string(), createdBy: z.unknown() })),
});
const Attributes = z.array(z.object({ Name: z.string(), Value: z.string() }));
type User = { attributes: z.output<typeof Attributes>; status: string };

/** AWS as far as the command needs it: outputs of stacks, and the users of a pool. */
const users = new Map<string, User>();
const invitations: string[] = [];
let outputs: Record<string, Record<string, string>> = {};

const stacksResponse = (name: string): { status: number; body: string } => {
  const found = outputs[name];
  if (!found) {
    const error = `<Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error>`;
    return { status: 400, body: `<ErrorResponse>${error}<RequestId>r</RequestId></ErrorResponse>` };
  }
  const members = Object.entries(found).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const described = `<member><StackName>${name}</StackName><Outputs>${members.join("")}</Outputs></member>`;
  return {
    status: 200,
    body: `<DescribeStacksResponse><DescribeStacksResult><Stacks>${described}</Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  };
};

const Sent = z.looseObject({
  Username: z.string(),
  UserAttributes: Attributes.default([]),
  MessageAction: z.string().optional(),
});

const poolResponse = (target: string, body: string): { status: number; body: unknown } => {
  const { Username, UserAttributes, MessageAction } = Sent.parse(JSON.parse(body));
  const found = users.get(Username);
  if (target.endsWith(".AdminGetUser")) {
    if (!found) return { status: 400, body: { __type: "UserNotFoundException", message: "none" } };
    return {
      status: 200,
      body: { Username, UserAttributes: found.attributes, UserStatus: found.status },
    };
  }
  const attributes = found?.attributes ?? [...UserAttributes, { Name: "sub", Value: randomUUID() }];
  invitations.push(MessageAction ?? "NEW");
  users.set(Username, { attributes, status: "FORCE_CHANGE_PASSWORD" });
  return { status: 200, body: { User: { Username, Attributes: attributes } } };
};

const server = createServer(async (request, response) => {
  const body = await text(request);
  const target = request.headers["x-amz-target"];
  if (target === undefined) {
    const { status, body: xml } = stacksResponse(new URLSearchParams(body).get("StackName") ?? "");
    response.writeHead(status, { "content-type": "text/xml" }).end(xml);
    return;
  }
  const { status, body: json } = poolResponse(String(target), body);
  response.writeHead(status, { "content-type": "application/x-amz-json-1.1" });
  response.end(JSON.stringify(json));
});

let aws: string;
let operator: OperatorJson;
beforeAll(async () => {
  aws = (await listen(server)).url;
  const file = join(inject("stack").dataDir, "storage.json");
  operator = OperatorJson.parse(JSON.parse(readFileSync(file, "utf8")));
});
afterAll(() => server.close());
beforeEach(() => {
  users.clear();
  invitations.length = 0;
  outputs = {
    "Wharf-Data": {
      TableName: operator.table,
      UserPoolId: "eu-west-1_Pool",
      LoginUrl: "https://wharf-1.auth.eu-west-1.amazoncognito.com",
    },
    "Wharf-Api": { PublicUrl: `${inject("stack").baseUrl}/` },
  };
});

const bootstrap = async (args: string[]) => {
  const env = {
    PATH: process.env.PATH,
    WHARF_DATA_DIR: inject("stack").dataDir,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: operator.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: operator.credentials.secretAccessKey,
    AWS_SESSION_TOKEN: operator.credentials.sessionToken,
    AWS_ENDPOINT_URL_DYNAMODB: operator.dynamodbEndpoint,
    AWS_ENDPOINT_URL_CLOUDFORMATION: aws,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: aws,
  };
  try {
    return (await run(process.execPath, ["infra/commands/bootstrap.ts", ...args], { env })).stdout;
  } catch (error) {
    return Failure.parse(error).stderr;
  }
};

const newNames = () => {
  const id = randomUUID().slice(0, 8);
  const email = `ada-${id}@example.com`;
  const org = `org-${id}`;
  const slug = `tenant-${id}`;
  return { email, org, slug, args: ["--email", email, "--organization", org, "--tenant", slug] };
};
const keyIn = (output: string) => /wharf_live_\w+/.exec(output)?.[0];

describe("npm run bootstrap on a deployed stack", () => {
  test("creates tenant, invited user and an admin key that works, and shows curl and sign-in page", {
    tags: "nightly",
  }, async () => {
    const { email, org, slug, args } = newNames();
    const output = await bootstrap(args);
    const key = keyIn(output);
    expect(output).toContain("https://wharf-1.auth.eu-west-1.amazoncognito.com");
    expect(output).toContain(`curl ${inject("stack").baseUrl}/v1/tenants/${slug}/agents`);
    expect(users.get(email)?.attributes).toEqual(
      expect.arrayContaining([
        { Name: "custom:org_id", Value: org },
        { Name: "custom:role", Value: "admin" },
        { Name: "email_verified", Value: "true" },
      ]),
    );
    const created = await call("POST", `/v1/tenants/${slug}/agents`, {
      ...(key !== undefined && { key }),
      body: { displayName: "First" },
    });
    expect(created.status).toBe(201);
  });

  test("run again, creates nothing, shows no secret and sends no invitation; --new-key creates another key", {
    tags: "nightly",
  }, async () => {
    const { org, slug, args } = newNames();
    const first = keyIn(await bootstrap(args));
    const again = await bootstrap(args);
    expect(keyIn(again)).toBeUndefined();
    expect(again).toContain("has not signed in yet");
    expect(invitations).toEqual(["NEW"]);
    const other = keyIn(await bootstrap([...args, "--new-key", "--invite-again"]));
    expect(other).not.toBe(first);
    expect(invitations).toEqual(["NEW", "RESEND"]);
    const token = await stack().token({ org, role: "admin" });
    const { body } = await call("GET", `/v1/tenants/${slug}/apiKeys`, { token });
    expect(Keys.parse(body).items.map(({ name }) => name)).toEqual(["bootstrap", "bootstrap"]);
  });

  test("refuses a tenant and a user of another organization before it creates anything", {
    tags: "nightly",
  }, async () => {
    const first = newNames();
    await bootstrap(first.args);
    const other = newNames();
    const stolen = ["--email", other.email, "--organization", other.org, "--tenant", first.slug];
    expect(await bootstrap(stolen)).toContain("belongs to another organization");
    expect(users.has(other.email)).toBe(false);
    const moved = ["--email", first.email, "--organization", other.org, "--tenant", other.slug];
    expect(await bootstrap(moved)).toContain(`belongs to the organization "${first.org}"`);
  });

  test("with another issuer, prints the claims that the user's tokens need", {
    tags: "nightly",
  }, async () => {
    outputs["Wharf-Data"] = { TableName: operator.table };
    const { org, args } = newNames();
    const output = await bootstrap([...args, "--subject", "idp|7"]);
    expect(output).toContain(`need org_id=${org} and role=admin`);
    expect(keyIn(output)).toBeDefined();
  });

  test("without a deployment, or with invalid options, prints advice", {
    tags: "nightly",
  }, async () => {
    outputs = {};
    expect(await bootstrap(newNames().args)).toContain("The stack Wharf-Data does not exist");
    expect(await bootstrap(["--email", "ada"])).toContain("--email must be an e-mail address");
  });
});

test("npm run bootstrap -- --local works on the local stack, with a token of the local issuer", {
  tags: "nightly",
}, async () => {
  const { email, org, slug, args } = newNames();
  const output = await bootstrap([...args, "--local"]);
  expect(output).toContain(`token -- --org ${org} --user ${email} --role admin`);
  expect(output).toContain(`${inject("stack").baseUrl}/console/`);
  const key = keyIn(output) ?? "";
  const { status } = await call("GET", `/v1/tenants/${slug}`, { key });
  expect(status).toBe(200);
});
