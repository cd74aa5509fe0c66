import type { Citation } from "../../executions/schemas.ts";
import type { ReplySource, ReplySources, TextLimit } from "../../vendors/chat-provider.ts";

const maxSources = 5;
const maxTitle = 100;
const maxLink = 1_000;

/**
 * Selects the sources to list below a reply: the documents that its text names, or without any, those that were found
 * first. Documents that the text links to are left out.
 */
export const selectSources = (
  text: string,
  citations: readonly Citation[],
): ReplySources | undefined => {
  const documents = [...Map.groupBy(citations, toDocumentKey).values()].flatMap(([first]) =>
    first ? [first] : [],
  );
  const isLinked = ({ link }: Citation) => link !== null && text.includes(link);
  const named = documents.filter(
    (document) => isLinked(document) || text.includes(document.documentName),
  );
  const isNamed = named.length > 0;
  const items = (isNamed ? named : documents)
    .filter((document) => !isLinked(document))
    .slice(0, maxSources)
    .map(toSource);
  if (items.length === 0) return undefined;
  return { heading: isNamed ? "Sources:" : "Documents found:", items };
};

const toDocumentKey = ({ assetId, documentId }: Citation): string =>
  JSON.stringify([assetId, documentId]);

const toSource = ({ documentName, link }: Citation): ReplySource => {
  const title = documentName.replaceAll(/\s+/g, " ").trim().slice(0, maxTitle).toWellFormed();
  const isWeb = link !== null && link.length <= maxLink && /^https?:\/\/\S+$/i.test(link);
  return { title, link: isWeb ? link : null };
};

/** Weight of the markup around a source. */
const markup = "• [](<>): |\n";

/** Returns whether a part of a reply has room for sources in any markup. */
export const hasRoomForSources = (
  part: string,
  { heading, items }: ReplySources,
  { longest, weigh = ({ length }) => length }: TextLimit,
): boolean => {
  // Escapes at most double the characters of a title.
  const list = items.map(({ title, link }) => `${markup}${title}${title}${link ?? ""}`).join("");
  const characters = [...`${part}\n\n${heading}\n${list}`];
  return characters.reduce((sum, character) => sum + weigh(character), 0) <= longest;
};
