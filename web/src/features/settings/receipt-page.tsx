/** The receipt of a paid purchase. The browser prints it or saves it as a PDF: it has the fonts for every name. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { messageOf } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { counted } from "@/lib/counted";
import { apiQuery } from "@/lib/query";
import { formatMoment } from "@/lib/time";
import { BackLink } from "@/ui/back-link";
import { Logo } from "@/ui/logo";
import { look } from "@/ui/look";
import { PageBody, PageHeader } from "@/ui/page";
import { Box, Grid, Heading, Row, Text } from "@/ui/parts";
import { ErrorState, LoadingRows } from "@/ui/states";
import classes from "./receipt-page.module.css";

const PATH = "/api/payments/invoices/{invoiceId}/receipt";

type Receipt = Answer<typeof PATH, "get">;

export function ReceiptPage() {
  const { invoiceId = "" } = useParams();
  const { data, error, isError, refetch } = useQuery(apiQuery(PATH, { path: { invoiceId } }));
  return (
    <>
      <PageHeader
        title="Receipt"
        actions={
          data !== undefined && (
            <Button variant="filled" onClick={() => window.print()}>
              Print or save as PDF
            </Button>
          )
        }
      />
      <PageBody width="narrow">
        <BackLink to="/settings" mb={8} minH={40} noPrint>
          Settings
        </BackLink>
        {data !== undefined ? (
          <Sheet receipt={data} />
        ) : isError ? (
          <ErrorState message={messageOf(error, "Failed to fetch the receipt.")} onRetry={() => void refetch()} />
        ) : (
          <LoadingRows rows={5} label="Loading the receipt" />
        )}
      </PageBody>
    </>
  );
}

function Sheet({ receipt }: { receipt: Receipt }) {
  const { credits, amount, currency } = receipt;
  const rows: readonly (readonly [name: string, value: string])[] = [
    ["Receipt number", receipt.number],
    ["Paid", formatMoment(receipt.paidAt)],
    ["Ordered", formatMoment(receipt.orderedAt)],
    ["Paid by", `${receipt.buyerName}, ${receipt.buyerEmail}`],
    ["Paid to", window.location.host],
    ["Payment", `${receipt.provider}, ${receipt.providerReference}`],
  ];
  return (
    <Box as="article" surface p={28} className={classes["sheet"]} aria-label="Receipt">
      <Row as="header" wrap align="center" justify="between" gap={8} gapX={16} pb={20}>
        <Logo />
        <Heading size="l">Receipt</Heading>
      </Row>
      <Grid as="dl" gap={8} pb={24} size="s" className={classes["facts"]}>
        {rows.map(([name, value]) => (
          <Grid gap={12} key={name}>
            <Text as="dt" tone="ink-2">
              {name}
            </Text>
            <Text as="dd" breaks>
              <bdi>{value}</bdi>
            </Text>
          </Grid>
        ))}
      </Grid>
      <table className={look({ full: true, num: true }, classes["lines"])}>
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{counted(credits, "credit")}</td>
            <td>
              {amount} {currency}
            </td>
          </tr>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total paid</th>
            <td>
              {amount} {currency}
            </td>
          </tr>
        </tfoot>
      </table>
    </Box>
  );
}
