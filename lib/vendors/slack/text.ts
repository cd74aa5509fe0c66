const entities = [
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
] as const;

/** Escapes a text for Slack, so that it cannot mention or notify anyone. */
export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>]/g, (sign) => entities.find(([, plain]) => plain === sign)?.[0] ?? sign);

const decode = (text: string): string =>
  text.replaceAll(
    /&(?:amp|lt|gt);/g,
    (code) => entities.find(([entity]) => entity === code)?.[1] ?? code,
  );

/**
 * Converts Slack markup to plain text: links, mentions and channels become their labels, the three entities are
 * decoded (https://docs.slack.dev/messaging/formatting-message-text).
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
    // Slack links text that looks like a URL; the label is then the original text.
    return label === "" || target.includes(label) ? label || target : `${label} (${target})`;
  }
  if (sign === "!" && label !== "") return label;
  return `${sign === "#" ? "#" : "@"}${label || target.slice(1)}`;
};
