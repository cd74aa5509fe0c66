import { Anchor, Text } from "@mantine/core";
import { isRecord, itemsIn, textIn } from "../flow-graph/members.ts";
import classes from "./citations.module.css";
import { LabelledList } from "./labelled-list.tsx";
import type { Span } from "./spans.ts";

type Citation = NonNullable<Span["citations"]>[number];

/** Lists the documents that a Prompt found in its assets, or that a Retrieve found. */
export const Citations = ({ span }: { span: Span }) => {
  const documents = collectDocuments(span);
  if (documents.length === 0) return null;
  const label = span.citations ? "Citations" : "Documents found";
  return (
    <LabelledList label={label} className={classes.list}>
      {documents.map((citation) => (
        <li key={buildKey(citation)}>
          <DocumentName {...citation} />{" "}
          <Text span size="xs" c="dimmed">
            {citation.assetId}
          </Text>
        </li>
      ))}
    </LabelledList>
  );
};

/** The name of a document, as a link if its source gave an address of the web. */
const DocumentName = ({ documentName, link }: Citation) =>
  link !== null && /^https?:\/\//i.test(link) ? (
    <Anchor size="sm" href={link} target="_blank" rel="noreferrer">
      {documentName}
    </Anchor>
  ) : (
    <Text span size="sm">
      {documentName}
    </Text>
  );

const collectDocuments = ({ citations, type, output }: Span): readonly Citation[] => {
  if (citations) return citations;
  if (type !== "Retrieve") return [];
  const found = itemsIn(output).filter(isRecord).map(toCitation);
  return [...new Map(found.map((citation) => [buildKey(citation), citation])).values()];
};

const toCitation = ({ assetId, documentName, link }: Readonly<Record<string, unknown>>) => ({
  assetId: textIn(assetId),
  documentName: textIn(documentName),
  link: typeof link === "string" ? link : null,
});

const buildKey = ({ assetId, documentName, link }: Citation): string =>
  JSON.stringify([assetId, documentName, link]);
