/** Maximum members of a form; a larger form stays text. */
export const maxFormMembers = 10_000;

/** The methods of a string that the parser uses. */
type Text = Pick<string, "length" | "indexOf" | "slice">;

/**
 * Parses `application/x-www-form-urlencoded` like `URLSearchParams`, but in linear time: Node's is quadratic for
 * names without `=`. Undefined beyond `maxMembers`.
 */
export const parseForm = (
  text: Text,
  maxMembers = maxFormMembers,
): [name: string, value: string][] | undefined => {
  const members: [string, string][] = [];
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf("&", start);
    const end = next === -1 ? text.length : next;
    if (end > start) {
      if (members.length === maxMembers) return undefined;
      members.push(parseMember(text.slice(start, end)));
    }
    start = end + 1;
  }
  return members;
};

const parseMember = (member: string): [name: string, value: string] => {
  const equals = member.indexOf("=");
  if (equals === -1) return [decode(member), ""];
  return [decode(member.slice(0, equals)), decode(member.slice(equals + 1))];
};

const decode = (encoded: string): string => {
  const text = encoded.replaceAll("+", " ");
  return text.includes("%") ? decodeBytes(Buffer.from(text)) : text;
};

const percent = 0x25;

/** Decodes in place. Invalid escapes are kept; invalid UTF-8 becomes U+FFFD. */
const decodeBytes = (bytes: Buffer): string => {
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const escaped = byte === percent ? readHexByte(bytes[at + 1], bytes[at + 2]) : undefined;
    bytes[length] = escaped ?? byte;
    if (escaped !== undefined) at += 2;
    length += 1;
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, length));
};

const readHexByte = (high: number | undefined, low: number | undefined): number | undefined => {
  const [first, second] = [hexDigit(high), hexDigit(low)];
  return first === undefined || second === undefined ? undefined : first * 16 + second;
};

const hexDigit = (code: number | undefined): number | undefined => {
  if (code === undefined) return undefined;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : undefined;
};
