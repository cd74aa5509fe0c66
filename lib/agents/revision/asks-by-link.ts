import { isRecord } from "../../values/json/json.ts";

/** Returns whether a flow, or a part of it, asks approvers who receive a link: by mail or in a chat. */
export const asksByLink = (part: unknown): boolean => {
  if (Array.isArray(part)) return part.some(asksByLink);
  if (!isRecord(part)) return false;
  return Object.entries(part).some(([name, member]) =>
    name === "approvers" && isRecord(member)
      ? Boolean(member.emails) || Boolean(member.chat)
      : asksByLink(member),
  );
};
