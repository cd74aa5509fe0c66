import { expect, test } from "vitest";
import { alarmLine } from "../../infra/local/functions/alarm-line.ts";

const file = "/data/logs/Wharf-reply-to-chat.log";

test("a failed outgoing call is one line in the terminal, and its stack is left to the log file", () => {
  const error = {
    name: "OutgoingError",
    message: '"chat.example.com"\ncan\'t be resolved.',
    stack: "OutgoingError: …\n    at $ (file:///functions/reply-to-chat/index.mjs:1:1439)",
  };
  const text = `${JSON.stringify({ level: "ERROR", message: "reply-to-chat failed", error })}\n`;
  expect(alarmLine(text, file)).toBe(
    `reply-to-chat failed: "chat.example.com" can't be resolved. (more in ${file})`,
  );
});

test("an uncaught error is shown without its stack", () => {
  expect(alarmLine("TypeError: x is undefined\n    at handler (index.mjs:1:1)", file)).toBe(
    `TypeError: x is undefined (more in ${file})`,
  );
});

test("a single short line is shown as it is", () => {
  expect(alarmLine("Error: seen by the user\n", file)).toBe("Error: seen by the user");
});
