import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { good } from "../../test/harness/chat-apis/chat-api.ts";
import { png } from "../../test/harness/chat-apis/chat-files.ts";
import { type ChatServer, startChatServer } from "../../test/harness/chat-apis/chat-server.ts";
import { otherAttachments, withPhoto } from "../../test/samples/attachments.ts";
import { fetchAttachment, type RemoteAttachment } from "../chat/conversation/fetch-attachment.ts";
import type { ReadAttachment } from "./chat-provider.ts";
import { chatProvider } from "./registry/find-chat-provider.ts";
import { readGenericMessage } from "./shared/chat/generic-message.ts";

let server: ChatServer;
beforeAll(async () => {
  server = await startChatServer();
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.close());

type Vendor = keyof typeof withPhoto;
const vendors = ["slack", "telegram", "discord", "meta", "teams", "generic"] as const;

const credentials: Record<Vendor, Record<string, string>> = {
  slack: { botToken: good.slack },
  telegram: { botToken: good.telegram },
  discord: { botToken: good.discord },
  meta: { accessToken: good.meta },
  teams: { appId: "app", appPassword: good.teams },
  generic: {},
};
const secrets = [...Object.values(good), "token-1"];

const fetchRead = (
  id: Vendor,
  attachment: ReadAttachment,
  { maxBytes = 1_000, apiUrl = `${server.url}/${id}` }: { maxBytes?: number; apiUrl?: string } = {},
) => {
  const { location, ...rest } = attachment;
  if ("base64" in location || "fileId" in location) throw new Error("is not remote");
  const remote: RemoteAttachment = { ...rest, location };
  const source = {
    calling: {
      outgoing: { allowPrivateAddresses: true },
      clock: Date.now,
      sleep: async () => undefined,
    },
    connectorId: "01900000-0000-7000-8000-000000000000",
    provider: chatProvider(id),
    openParameters: async () => ({ ...credentials[id], ...(apiUrl !== "" && { apiUrl }) }),
    maxBytes,
    until: Date.now() + 10_000,
  };
  return fetchAttachment(source, remote);
};

describe.each(vendors)("a photo of %s", (id) => {
  const read = (name?: string) => {
    const { payload, attachment } = withPhoto[id](server.url, name);
    const [message] = chatProvider(id).readMessages(payload);
    const [first] = message?.attachments ?? [];
    if (!message || !first) throw new Error("nothing was read");
    return { message, first, attachment };
  };

  test("without a text is read as a message with an attachment", () => {
    const { message, attachment } = read();
    expect(message).toMatchObject({ text: id === "discord" ? "/read" : "" });
    expect(message.attachments).toEqual([attachment]);
  });

  test("is fetched with the credential of the bot", async () => {
    const { first } = read();
    expect(await fetchRead(id, first)).toEqual({ name: first.name, content: png });
  });

  test("that is larger than the limit, missing or empty is refused with the reason", async () => {
    const large = await fetchRead(id, { ...read("large.png").first, bytes: null });
    expect(large).toBe("it is larger than 1000 bytes");
    expect(await fetchRead(id, read("missing.png").first)).toBe("its server responded with 404");
    expect(await fetchRead(id, read("empty.png").first)).toBe("it is empty");
  });

  test("with a wrong credential is refused, and the reason quotes none", async () => {
    if (id === "discord" || id === "generic") return;
    const { first } = read();
    const before = credentials[id];
    const wrong = Object.fromEntries(Object.keys(before).map((name) => [name, "1:wrong-secret"]));
    credentials[id] = wrong;
    const reason = await fetchRead(id, first).finally(() => {
      credentials[id] = before;
    });
    expect(reason).toEqual(expect.any(String));
    expect(reason).not.toContain("wrong-secret");
  });

  test("is not read of a malformed payload", () => {
    const { payload } = withPhoto[id](server.url);
    const broken = JSON.stringify(payload).replaceAll(/"(file_id|url|contentUrl|id)":/g, '"x":');
    expect(chatProvider(id).readMessages(JSON.parse(broken))).toEqual([]);
  });
});

test.each(otherAttachments.map((sample) => [sample.provider, sample.name, sample] as const))(
  "%s: %s",
  (id, _, { payload, text, read }) => {
    const [message] = chatProvider(id).readMessages(payload);
    expect(message?.text).toBe(text);
    expect(message?.attachments?.map(({ name, location }) => [name, location])).toEqual(read);
  },
);

const slackFile = (url: string): ReadAttachment => ({
  name: "a.png",
  mediaType: "image/png",
  bytes: 1,
  location: { reference: { id: "F1", url } },
});

test.each([
  "https://attacker.example/a.png",
  "https://files.slack.com.attacker.example/a.png",
  "http://files.slack.com/a.png",
  "https://files.slack.com:8443/a.png",
  "http://127.0.0.1:9/a.png",
  "no",
])("the token of a bot for Slack is not sent to %s", async (url) => {
  expect(await fetchRead("slack", slackFile(url))).toContain("Slack does not store the file");
  expect(server.requests).toEqual([]);
});

test("a file of Slack without an address is found by its id", async () => {
  const attachment = { ...slackFile(""), location: { reference: { id: "F2" } } };
  expect(await fetchRead("slack", attachment)).toEqual({ name: "a.png", content: png });
  expect(server.requests.map(({ path }) => path)).toEqual([
    "/slack/files.info",
    "/slack/files/F2.png",
  ]);
});

test("a page to sign in, in place of a file of Slack, is no file", async () => {
  const reason = await fetchRead("slack", slackFile(`${server.url}/slack/files/login.png`));
  expect(reason).toContain("files:read");
});

test.each([
  "https://attacker.example/v3/attachments/1/views/original",
  "https://attacker.trafficmanager.net/v3/attachments/1/views/original",
  "http://smba.trafficmanager.net/v3/attachments/1/views/original",
])("the token of a bot for Teams is not sent to %s", async (url) => {
  const { attachment } = withPhoto.teams(server.url);
  const reason = await fetchRead("teams", { ...attachment, location: { reference: { url } } });
  expect(reason).toContain("not Microsoft's");
  expect(server.requests).toEqual([]);
});

test("the access token for WhatsApp is not sent to an address that is not Meta's", async () => {
  const { attachment } = withPhoto.meta(server.url);
  const location = { reference: { media: "media-elsewhere" } };
  expect(await fetchRead("meta", { ...attachment, location })).toContain("not Meta's");
  expect(server.requests).toHaveLength(1);
});

test.each(["slack", "meta", "teams"] as const)(
  "a redirect of %s to another origin is followed without the credential",
  async (id) => {
    const { payload } = withPhoto[id](server.url, "moved.png");
    const [first] = chatProvider(id).readMessages(payload)[0]?.attachments ?? [];
    if (!first) throw new Error("nothing was read");
    expect(await fetchRead(id, first)).toMatchObject({ content: png });
    expect(server.requests.at(-1)?.headers).not.toHaveProperty("authorization");
  },
);

test("a file of Telegram that its server has in a folder of its own is not fetched", async () => {
  const { attachment } = withPhoto.telegram(server.url, "local");
  expect(await fetchRead("telegram", attachment)).toBe("Telegram does not serve the file");
});

test("the address of a file of Telegram, with its token, is in no error", async () => {
  const { attachment } = withPhoto.telegram(server.url, "missing.png");
  const apiUrl = `${server.url}/telegram`;
  const failures: unknown[] = [await fetchRead("telegram", attachment)];
  const call = {
    connectorId: "c",
    parameters: { ...credentials.telegram, apiUrl },
    fetch: async () => Response.json({ ok: true, result: { file_path: "documents/a.png" } }),
    now: Date.now(),
    download: async () => Promise.reject(new Error("refused")),
  };
  const reading = chatProvider("telegram").fetchAttachment?.(call, {
    reference: { id: "1" },
    mediaType: null,
  });
  failures.push(await reading?.catch((error: unknown) => error));
  for (const failure of failures)
    expect(inspect(failure, { depth: 9 })).not.toContain(good.telegram);
});

test("no reason of a refused attachment quotes a credential", async () => {
  for (const id of vendors) {
    for (const name of ["missing.png", "large.png", "empty.png"]) {
      const { attachment } = withPhoto[id](server.url, name);
      const reason = await fetchRead(id, attachment);
      for (const secret of secrets) expect(reason).not.toContain(secret);
      expect(reason).not.toContain("http");
    }
  }
});

test.each([
  [[{ fileId: "01900000-0000-7000-8000-000000000000" }], "/attachments/0"],
  [[{ url: "no address" }], "/attachments/0"],
  [[{ url: `https://example.com/${"a".repeat(9_000)}` }], "/attachments/0"],
  [[{ base64: "***" }], "/attachments/0"],
  [[{ base64: "QQ==", name: "../b.txt" }], "/attachments/0"],
  [[{ url: "https://a.example", base64: "QQ==" }], "/attachments/0"],
  [["a"], "/attachments/0"],
  [Array(21).fill({ url: "https://example.com/a" }), "/attachments"],
  ["a", "/attachments"],
  [[], "/text"],
  [null, "/text"],
])("a generic message with the attachments %j has a problem at %s", (attachments, pointer) => {
  const message = { id: "1", user: { id: "u" }, conversation: { id: "c" }, text: "", attachments };
  const read = readGenericMessage(message);
  const problems = "problems" in read ? read.problems : [];
  expect(problems.map((problem) => problem.pointer)).toContain(pointer);
});
