/** What was bought and is still to be paid, and every change of the balance with what it was for. */
import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { Link } from "react-router";
import { messageOf } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { counted } from "@/lib/counted";
import { type Invoice, invoicesQuery, isOpen } from "@/lib/purchases";
import { apiPages } from "@/lib/query";
import { formatDay, formatMoment, formatUtcMonth } from "@/lib/time";
import { Badge, type BadgeTone } from "@/ui/badge";
import { PanelRow, RowText } from "@/ui/panel-row";
import { Heading, Row, Stack, Text } from "@/ui/parts";
import classes from "@/ui/rows.module.css";
import { ErrorState, LoadingRows } from "@/ui/states";
import own from "./credits-section.module.css";

type History = Answer<"/api/payments/credits", "get">;
type Entry = History["entries"][number];
type MonthTotal = History["months"][number];

const PAGE = 10;

const ledgerQuery = apiPages(
  "/api/payments/credits",
  { query: { limit: PAGE } },
  { next: ({ nextCursor }) => (nextCursor === null ? null : Number(nextCursor)) },
);

export function CreditHistory() {
  return (
    <>
      <Purchases />
      <Ledger />
    </>
  );
}

const STATES: Record<Invoice["status"], { tone: BadgeTone; text: string }> = {
  waiting: { tone: "warn", text: "Waiting for payment" },
  confirming: { tone: "warn", text: "Payment is being confirmed" },
  partially_paid: { tone: "bad", text: "Part of the payment is missing" },
  expired: { tone: "plain", text: "Expired" },
  failed: { tone: "bad", text: "Failed" },
  paid: { tone: "ok", text: "Paid" },
};

/** The newest purchases, however they stand. */
function Purchases() {
  const { data: invoices } = useQuery(invoicesQuery);
  const shown = invoices?.slice(0, 5) ?? [];
  if (shown.length === 0) return null;
  return (
    <>
      <Heading as="h3" px={16} pt={12} lineAbove size="s" tone="ink-2">
        Purchases
      </Heading>
      <ul aria-label="Purchases">
        {shown.map((invoice) => (
          <Purchase key={invoice._id} invoice={invoice} />
        ))}
      </ul>
    </>
  );
}

function Purchase({ invoice }: { invoice: Invoice }) {
  const { tone, text } = STATES[invoice.status];
  const name = counted(invoice.credits, "credit");
  return (
    <PanelRow as="li">
      <RowText
        name={
          <>
            {name} <Badge tone={tone}>{text}</Badge>
          </>
        }
        isStrong
      >
        <span className="num">
          {invoice.amount} {invoice.currency}
        </span>{" "}
        · {formatMoment(invoice.createdAt)}
        {invoice.overpaid !== null &&
          ` · ${invoice.overpaid} came beyond the price and buys nothing: ask the operator.`}
      </RowText>
      {isOpen(invoice) && invoice.status !== "confirming" && (
        <Button
          size="xs"
          component="a"
          href={invoice.url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`Pay for ${name}`}
        >
          {invoice.status === "partially_paid" ? "Pay the rest" : "Pay"}
        </Button>
      )}
      {invoice.status === "paid" && (
        <Button size="xs" component={Link} to={`/settings/receipts/${invoice._id}`} aria-label={`Receipt for ${name}`}>
          Receipt
        </Button>
      )}
    </PanelRow>
  );
}

function Ledger() {
  const { data, error, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(ledgerQuery);
  const entries = data?.pages.flatMap((page) => page.entries);
  const totals = new Map(data?.pages.flatMap((page) => page.months).map((total) => [total.month, total]));
  if (entries === undefined) {
    return isError ? (
      <ErrorState message={messageOf(error, "Failed to fetch your credits.")} onRetry={() => void refetch()} />
    ) : (
      <LoadingRows rows={2} height={60} label="Loading your credits" />
    );
  }
  if (entries.length === 0) return null;
  return (
    <>
      <Heading as="h3" px={16} pt={12} lineAbove size="s" tone="ink-2">
        History
      </Heading>
      <section aria-label="Credit history">
        {byMonth(entries).map(([month, mine]) => (
          <Month key={month} month={month} total={totals.get(month)} entries={mine} />
        ))}
      </section>
      {hasNextPage && (
        <PanelRow>
          <Button variant="subtle" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older
          </Button>
        </PanelRow>
      )}
    </>
  );
}

/** The server counts months in UTC. */
const monthOf = ({ createdAt }: Entry) => createdAt.slice(0, 7);

function byMonth(entries: readonly Entry[]): [month: string, entries: Entry[]][] {
  const months = new Map<string, Entry[]>();
  for (const entry of entries) months.set(monthOf(entry), [...(months.get(monthOf(entry)) ?? []), entry]);
  return [...months];
}

/** The entries of a month that are shown; the total is that of all its entries. */
function Month({ month, total, entries }: { month: string; total: MonthTotal | undefined; entries: Entry[] }) {
  const id = useId();
  return (
    <>
      <Row
        as="h4"
        id={id}
        wrap
        align="baseline"
        justify="between"
        gap={2}
        gapX={16}
        px={16}
        py={10}
        fill="sunken"
        lineAbove
        lineBelow
        size="s"
      >
        {formatUtcMonth(month)}{" "}
        {total !== undefined && (
          <Text as="span" size="s" tone="ink-2" num className={classes["note"]}>
            {total.spent.toLocaleString("en")} spent, {total.received.toLocaleString("en")} received
          </Text>
        )}
      </Row>
      <ul aria-labelledby={id}>
        {entries.map((entry) => (
          <LedgerRow key={entry._id} entry={entry} />
        ))}
      </ul>
    </>
  );
}

function LedgerRow({ entry }: { entry: Entry }) {
  return (
    <PanelRow as="li">
      <RowText name={describe(entry)}>
        <time dateTime={entry.createdAt} title={formatMoment(entry.createdAt)}>
          {formatDay(entry.createdAt)}
        </time>
      </RowText>
      <Stack as="p" align="end" num className={own["change"]}>
        <span data-gain={entry.amount > 0 || undefined}>{signed(entry.amount)}</span>
        <Text as="span" size="s" tone="ink-2" className={classes["note"]}>
          {entry.balanceAfter.toLocaleString("en")} left
        </Text>
      </Stack>
    </PanelRow>
  );
}

/** With the names that the plan and the project had then. */
function describe({ kind, months, tierName, projectName }: Entry): string {
  if (kind === "purchase") return "Bought";
  if (kind === "grant") return "Granted by the operator";
  const plan = `${tierName ?? "Plan"} for ${projectName ?? "a project"}`;
  return kind === "free_month" ? plan : `${plan}, ${counted(months ?? 1, "month")}`;
}

function signed(amount: number): string {
  const size = Math.abs(amount).toLocaleString("en");
  return amount > 0 ? `+${size}` : amount < 0 ? `−${size}` : "0";
}
