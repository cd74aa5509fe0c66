import { Box, Button, Center, Skeleton, Stack, Table } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import { ReadProblem } from "./read-problem.tsx";
import classes from "./resource-table.module.css";
import type { ListState } from "./use-list.ts";

/** A column of a table. */
export type Column<Item> = {
  header: string;
  cell: (item: Item) => ReactNode;
  /** Comes after the others where a row is a card, on narrow screens. */
  isSecondary?: boolean;
  /** Aligns numbers at the end. */
  isNumber?: boolean;
  /** Gives long values a line of their own where a row is a card. */
  isWide?: boolean;
};

type ResourceTableProps<Item> = {
  /** Name of the table for screen readers. */
  label: string;
  list: ListState<Item>;
  getId: (item: Item) => string;
  /** The first column names the row. */
  columns: readonly Column<Item>[];
  /** Actions of a row, in a last column. */
  actions?: ((item: Item) => ReactNode) | undefined;
  /** Shown when the list is empty. */
  empty: ReactNode;
};

const rowHeight = 43;
const rowsBeyond = 20;
/** Distance to the end of the list at which the next page is read. */
const loadAhead = "0px 0px 1200px 0px";
const isNarrowQuery = "(max-width: 48em)";

/** Height of a card: its name, and two values a line. */
const cardHeight = (columns: number): number => 52 + 24 * Math.ceil((columns - 1) / 2);

/** Shows a list: while it loads, when it is empty, its problem, or its rows, of which only visible ones are drawn. */
export const ResourceTable = <Item,>(props: ResourceTableProps<Item>) => {
  const { list, empty } = props;
  if (list.error && list.items.length === 0) return <ReadProblem error={list.error} />;
  if (list.isLoading) return <LoadingRows />;
  if (list.items.length === 0 && !list.hasMore) return empty;
  // Pages that a filter left empty are read on.
  if (list.items.length === 0) {
    return (
      <>
        <LoadingRows />
        <MoreRows list={list} />
      </>
    );
  }
  return (
    <Stack gap="sm">
      <ReadProblem error={list.error} />
      <Rows {...props} />
      <MoreRows list={list} />
    </Stack>
  );
};

const LoadingRows = () => (
  <Stack gap="xs" role="status" aria-label="Loading">
    {["a", "b", "c", "d", "e"].map((row) => (
      <Skeleton key={row} height={36} />
    ))}
  </Stack>
);

const Rows = <Item,>({ label, list, getId, columns, actions }: ResourceTableProps<Item>) => {
  const body = useRef<HTMLTableSectionElement>(null);
  const isNarrow = useMediaQuery(isNarrowQuery, undefined, { getInitialValueInEffect: false });
  const virtualizer = useWindowVirtualizer({
    count: list.items.length,
    estimateSize: () => (isNarrow ? cardHeight(columns.length) : rowHeight),
    overscan: rowsBeyond,
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  const visible = virtualizer.getVirtualItems();
  const first = visible[0];
  const last = visible.at(-1);
  const before = first ? first.start - virtualizer.options.scrollMargin : 0;
  const after = last ? virtualizer.getTotalSize() + virtualizer.options.scrollMargin - last.end : 0;
  const width = columns.length + (actions ? 1 : 0);
  return (
    <Box component="section" className={classes.scroll ?? ""} aria-label={label} tabIndex={0}>
      <Table
        className={classes.table ?? ""}
        aria-label={label}
        aria-rowcount={list.hasMore ? -1 : list.items.length + 1}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.header} className={joinClasses(column)}>
                {column.header}
              </Table.Th>
            ))}
            {actions && (
              <Table.Th w={48}>
                <span className={classes.hidden}>Actions</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody ref={body}>
          <Spacer height={before} width={width} />
          {visible.map(({ index }) => {
            const item = list.items[index];
            return (
              item !== undefined && (
                <tr
                  key={getId(item)}
                  data-index={index}
                  ref={virtualizer.measureElement}
                  aria-rowindex={index + 2}
                >
                  {columns.map((column, at) => (
                    <Cell key={column.header} column={column} item={item} isName={at === 0} />
                  ))}
                  {actions && <td className={classes.actions}>{actions(item)}</td>}
                </tr>
              )
            );
          })}
          <Spacer height={after} width={width} />
        </Table.Tbody>
      </Table>
    </Box>
  );
};

type CellProps<Item> = { column: Column<Item>; item: Item; isName: boolean };

const Cell = <Item,>({ column, item, isName }: CellProps<Item>) => {
  const className = joinClasses(column);
  return isName ? (
    <th scope="row" className={className}>
      {column.cell(item)}
    </th>
  ) : (
    <td className={className} data-label={column.header}>
      {column.cell(item)}
    </td>
  );
};

const joinClasses = ({ isSecondary, isNumber, isWide }: Omit<Column<never>, "header" | "cell">) =>
  [isSecondary && classes.secondary, isNumber && classes.number, isWide && classes.wide]
    .filter(Boolean)
    .join(" ");

/** Takes the place of rows that are not drawn. */
const Spacer = ({ height, width }: { height: number; width: number }) =>
  height > 0 && (
    <Table.Tr aria-hidden="true" className={classes.spacer}>
      <td colSpan={width} style={{ height, padding: 0, border: 0 }} />
    </Table.Tr>
  );

/** Reads the next page when it scrolls into view, or on click. */
const MoreRows = <Item,>({ list }: { list: ListState<Item> }) => {
  const button = useRef<HTMLButtonElement>(null);
  const { hasMore, isLoadingMore, loadMore } = list;
  useEffect(() => {
    if (!hasMore || isLoadingMore || !button.current) return;
    const observer = new IntersectionObserver(
      // A busy page gets several entries in one call; the last one is the state.
      (entries) => {
        if (entries.at(-1)?.isIntersecting) loadMore();
      },
      { rootMargin: loadAhead },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  });
  return (
    hasMore && (
      <Center>
        <Button ref={button} variant="default" loading={isLoadingMore} onClick={loadMore}>
          Load more
        </Button>
      </Center>
    )
  );
};
