import { Anchor, Text } from "@mantine/core";
import { isWebLink } from "../shared/is-web-link.ts";
import classes from "./citations.module.css";
import { LabelledList } from "./labelled-list.tsx";
import type { Span } from "./spans.ts";

type Citation = NonNullable<Span["citations"]>[number];
type CitationsProps = { label: string; citations: readonly Citation[]; hasPassages?: boolean };

/** Lists the documents of citations, and with `hasPassages` the first passage of every document. */
export const Citations = ({ label, citations, hasPassages = false }: CitationsProps) => {
  const documents = [...Map.groupBy(citations, buildKey)];
  if (documents.length === 0) return null;
  return (
    <LabelledList label={label} className={(hasPassages ? classes.rows : classes.list) ?? ""}>
      {documents.map(
        ([key, [first]]) =>
          first && (
            <li key={key}>
              <DocumentName {...first} />{" "}
              <Text span size="xs" c="dimmed">
                {first.assetId}
              </Text>
              {hasPassages && (
                <Text size="sm" c="dimmed" lineClamp={2}>
                  {first.text}
                </Text>
              )}
            </li>
          ),
      )}
    </LabelledList>
  );
};

/** The name of a document, as a link if its source gave an address of the web. */
const DocumentName = ({ documentName, link }: Citation) =>
  isWebLink(link) ? (
    <Anchor size="sm" href={link} target="_blank" rel="noreferrer">
      {documentName}
    </Anchor>
  ) : (
    <Text span size="sm">
      {documentName}
    </Text>
  );

const buildKey = ({ assetId, documentId, documentName, link }: Citation): string =>
  JSON.stringify([assetId, documentId, documentName, link]);
