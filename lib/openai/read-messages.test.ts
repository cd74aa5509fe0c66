import { expect, test } from "vitest";
import { Problem } from "../platform/http/problems.ts";
import { readMessages } from "./read-messages.ts";

const image = (url: string, more: object = {}) => ({
  type: "input_image",
  image_url: url,
  ...more,
});
const user = (...content: object[]) => ({ role: "user", content });
const text = (value: string) => ({ type: "input_text", text: value });
const dataUrl = `data:text/plain;base64,${Buffer.from("Hi").toString("base64")}`;

test("files of the last message are apart from those of earlier ones, which are named in their text", async () => {
  const question = await readMessages("input", [
    user(text("What is this?"), image("https://a.example/cat.png")),
    { role: "assistant", content: "A cat." },
    { role: "system", content: "Be brief." },
    user(image("https://a.example/dog.png", { detail: "auto" })),
  ]);
  expect(question).toMatchObject({
    systemText: "Be brief.",
    messages: [
      { role: "user", text: "What is this?\n[file: cat.png]" },
      { role: "assistant", text: "A cat." },
    ],
    text: undefined,
    files: [{ pointer: "/input/3/content/0", mediaType: "image/*" }],
    earlierFiles: [{ pointer: "/input/0/content/1" }],
  });
});

test.each([
  [{ type: "input_image", file_id: "x" }, { fileId: "x" }],
  [{ type: "image_url", image_url: { url: dataUrl } }, { base64: "SGk=" }],
  [{ type: "input_file", file_url: "https://a.example/a.pdf" }, { url: "https://a.example/a.pdf" }],
  [
    { type: "input_file", file_data: dataUrl, filename: "a.md" },
    { base64: "SGk=", name: "a.md" },
  ],
  [{ type: "file", file: { file_data: "SGk=", filename: "a.md" } }, { name: "a.md" }],
  [{ type: "file", file: { file_id: "x" } }, { fileId: "x" }],
  [
    { type: "input_audio", input_audio: { data: "SGk=", format: "wav" } },
    { base64: "SGk=", name: "audio.wav" },
  ],
])("the part %j is a file", async (part, reference) => {
  const { files } = await readMessages("messages", [user(part)]);
  expect(files).toMatchObject([{ pointer: "/messages/0/content/0", reference }]);
});

test.each([
  [user(image("data:,")), "/input/0/content/0"],
  [user(image("x")), "/input/0/content/0"],
  [user({ type: "input_image" }), "/input/0/content/0"],
  [user(image("https://a.example", { file_id: "x" })), "/input/0/content/0"],
  [user(image("https://a.example", { detail: "high" })), "/input/0/content/0/detail"],
  [user({ type: "image_url", image_url: "x" }), "/input/0/content/0/image_url"],
  [user({ type: "input_file", file_data: 1 }), "/input/0/content/0/file_data"],
  [user({ type: "input_video", video_url: "x" }), "/input/0/content/0"],
  [{ role: "system", content: [image("https://a.example")] }, "/input/0/content/0"],
  [{ ...user(text("x")), tool_call_id: "call-1" }, "/input/0/tool_call_id"],
  [{ ...user(text("x")), function_call: { name: "f", arguments: "" } }, "/input/0/function_call"],
  [{ ...user(text("x")), audio: { id: "audio-1" } }, "/input/0/audio"],
])("%j is refused at its place", async (item, pointer) => {
  const error: unknown = await readMessages("input", [item]).catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(Problem);
  expect(error).toMatchObject({ members: { errors: [{ pointer, detail: expect.any(String) }] } });
});

test("members of messages and parts that change nothing are ignored, such as those of an output that is sent again", async () => {
  const part = {
    annotations: [],
    logprobs: [],
    parsed: null,
    cache_control: { type: "ephemeral" },
  };
  const message = { id: "msg-1", name: "ada", status: "completed", refusal: null, audio: null };
  const none = { tool_calls: [], function_call: null, tool_call_id: undefined };
  const { text: asked, messages } = await readMessages("input", [
    {
      ...{ ...message, ...none, type: "message", role: "assistant" },
      content: [{ ...part, type: "output_text", text: "Hello" }],
    },
    { ...message, ...none, role: "user", content: [{ ...part, ...text("And now?") }] },
  ]);
  expect({ asked, messages }).toEqual({
    asked: "And now?",
    messages: [{ role: "assistant", text: "Hello" }],
  });
});

test("more than 100 files are refused before they are read", async () => {
  const images = Array.from({ length: 101 }, () => image("x"));
  const error: unknown = await readMessages("input", [user(...images)]).catch((e: unknown) => e);
  expect(error).toMatchObject({ members: { errors: [{ pointer: "/input" }] } });
});
