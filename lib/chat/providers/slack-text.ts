const entities = [
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
] as const;

/** A text as Slack wants it, so that nothing in it mentions or notifies anybody. */
export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>]/g, (sign) => entities.find(([, plain]) => plain === sign)?.[0] ?? sign);

const decode = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt);/g, (code) => entities.find(([of]) => of === code)?.[1] ?? code);

/**
 * What somebody wrote, of what Slack makes of it: links, mentions and channels by their labels, and the three
 * entities (https://docs.slack.dev/messaging/formatting-message-text).
 */
export const plainText = (text: string): string =>
  text
    .split(/<([^<>]*)>/)
    .map((part, at) => decode(at % 2 === 0 ? part : unwrap(part)))
    .join("");

const unwrap = (inside: string): string => {
  const bar = inside.indexOf("|");
  const [target, label] = bar < 0 ? [inside, ""] : [inside.slice(0, bar), inside.slice(bar + 1)];
  const sign = /^[@#!]/.exec(target)?.[0];
  if (sign === undefined) {
    // Slack makes a link of what looks like one: its label is then what was typed.
    return label === "" || target.includes(label) ? label || target : `${label} (${target})`;
  }
  if (sign === "!" && label !== "") return label;
  return `${sign === "#" ? "#" : "@"}${label || target.slice(1)}`;
};
