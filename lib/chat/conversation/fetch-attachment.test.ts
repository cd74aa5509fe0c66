import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { png } from "../../../test/harness/chat-apis/chat-files.ts";
import { type ChatServer, startChatServer } from "../../../test/harness/chat-apis/chat-server.ts";
import { chatProvider } from "../../vendors/registry/find-chat-provider.ts";
import { type AttachmentSource, fetchAttachment } from "./fetch-attachment.ts";

let server: ChatServer;
beforeAll(async () => {
  server = await startChatServer();
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.close());

const source = (more: Partial<AttachmentSource> = {}): AttachmentSource => ({
  calling: {
    outgoing: { allowPrivateAddresses: true },
    clock: Date.now,
    sleep: async () => undefined,
  },
  connectorId: "c",
  provider: chatProvider("generic"),
  openParameters: async () => ({}),
  maxBytes: 20 * 1024 * 1024,
  until: Date.now() + 10_000,
  ...more,
});
const at = (url: string, name: string | null = null) => ({
  name,
  mediaType: null,
  bytes: null,
  location: { url },
});

test("a file of a gigabyte is refused by its declared size, and by that of its response", async () => {
  const url = `${server.url}/public/large.png`;
  const declared = { ...at(url), bytes: 1_073_741_824 };
  expect(await fetchAttachment(source(), declared)).toBe("it is larger than 20 MiB");
  expect(server.requests).toEqual([]);
  expect(await fetchAttachment(source(), at(url))).toBe("it is larger than 20 MiB");
});

test("a slow body is refused at the end of the time, and nothing is fetched after it", async () => {
  const url = `${server.url}/public/slow.png`;
  const until = Date.now() + 300;
  expect(await fetchAttachment(source({ until }), at(url))).toBe(
    "its server did not respond in time",
  );
  const late = source({ until: Date.now() - 1 });
  expect(await fetchAttachment(late, at(url))).toBe("there was no time left to fetch it");
  expect(server.requests).toHaveLength(1);
});

test.each([
  "https://127.0.0.1/a.png",
  "https://[::1]/a.png",
  "https://169.254.169.254/latest/meta-data",
  "http://example.com/a.png",
  "https://user:password@example.com/a.png",
  "file:///etc/passwd",
  "no address",
])("the address %s is not called", async (url) => {
  const calling = { ...source().calling, outgoing: {} };
  const reason = await fetchAttachment(source({ calling }), at(url));
  expect(reason).toBe("its address may not be called");
});

test("a name that resolves to a private address, and a redirect to one, are not called", async () => {
  const lookup = async () => [{ address: "10.0.0.1", family: 4 }];
  const calling = { ...source().calling, outgoing: { lookup } };
  const reason = await fetchAttachment(source({ calling }), at("https://files.example.com/a"));
  expect(reason).toBe("its address may not be called");
});

test("a file has its given name, else the one of its address, without folders", async () => {
  const named = await fetchAttachment(source(), at(`${server.url}/public/a.png`, "../../b.png"));
  expect(named).toEqual({ name: "b.png", content: png });
  const unnamed = await fetchAttachment(source(), at(`${server.url}/public/x/%2e%2e%2fc.png`));
  expect(unnamed).toMatchObject({ name: "c.png" });
});

test("a reference of a provider without attachments of its own is refused", async () => {
  const attachment = { ...at(""), location: { reference: { id: "1" } } };
  expect(await fetchAttachment(source(), attachment)).toContain("no attachments");
});

test("a failure of this system is thrown", async () => {
  const openParameters = async () => Promise.reject(new Error("no key"));
  const provider = chatProvider("slack");
  const attachment = { ...at(""), location: { reference: { id: "1" } } };
  const fetching = fetchAttachment(source({ openParameters, provider }), attachment);
  await expect(fetching).rejects.toThrow("no key");
});
