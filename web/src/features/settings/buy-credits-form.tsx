/** How many credits, what they cost, and the way to the payment page in a tab of its own. */
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import toast from "react-hot-toast";
import { ApiError, api, NetworkError, take } from "@/lib/api";
import { counted } from "@/lib/counted";
import { CREDITS_AT_ONCE } from "@/lib/limits.gen";
import { plansQuery } from "@/lib/queries";
import { invalidate } from "@/lib/query";
import { randomId } from "@/lib/random-id";
import { useAttempt } from "@/lib/use-attempt";
import { useLateFocus } from "@/ui/focus";
import { Notice } from "@/ui/notice";
import { Box, Row, Stack, Text } from "@/ui/parts";
import own from "./buy-credits-form.module.css";
import { type Amount, readAmount } from "./credit-amount";

const REDIRECTED_MS = 5000;
const REDIRECTING = "Redirecting for crypto payment... Your credits will update after successful payment.";
const TOO_FEW = "Please enter a valid number of credits (minimum 1).";

const TOO_MANY = `At most ${CREDITS_AT_ONCE.toLocaleString("en")} credits can be bought at once.`;
const UNCLEAR = "Write the number with digits only, like 1000.";

function refusalOf(amount: Amount | null): string | null {
  if (amount === null) return UNCLEAR;
  if (amount.credits < 1) return TOO_FEW;
  return amount.credits > CREDITS_AT_ONCE ? TOO_MANY : null;
}

function priceOf(amount: Amount | null): string {
  if (amount === null) return "";
  const price = Math.max(amount.credits, 0).toLocaleString("en");
  return `${price} USDT, about ${price}.00 USD. `;
}

/** An address that a browser may open; what a payment provider answers is not ours. */
function paymentUrl(url: string | undefined): string | null {
  try {
    const { protocol, href } = new URL(url ?? "");
    return protocol === "https:" || protocol === "http:" ? href : null;
  } catch {
    return null;
  }
}

/** Asks for a payment link. One key per amount: a second click, or a second try after a lost answer, makes no second invoice. */
function usePaymentLink(onLink: (url: string) => void) {
  const client = useQueryClient();
  const attempt = useRef<{ key: string; amount: number } | null>(null);
  return useMutation({
    mutationFn: async (amount: number) => {
      if (attempt.current?.amount !== amount) attempt.current = { key: randomId(), amount };
      try {
        const { invoice } = await take(
          api.POST("/api/payments/create-invoice", {
            params: { header: { "idempotency-key": attempt.current.key } },
            body: { months: amount },
          }),
        );
        attempt.current = null;
        const url = paymentUrl(invoice.url);
        if (url === null) throw new Error("Payment link missing in response from server.");
        return url;
      } catch (error) {
        if (!(error instanceof NetworkError)) attempt.current = null;
        throw error;
      }
    },
    onSuccess: (url) => {
      void invalidate(client, "/api/payments/invoices");
      onLink(url);
    },
  });
}

function failureOf(error: Error): string {
  if (error instanceof ApiError && !error.hasMessage) {
    return `Error: Failed to retrieve payment link (status: ${error.status})`;
  }
  return error instanceof NetworkError
    ? "Error: The server can't be reached. Please try again."
    : `Error: ${error.message}`;
}

export function BuyCreditsForm({ initial, onClose }: { initial: number; onClose: () => void }) {
  const [text, setText] = useState(String(initial));
  const [refusal, setRefusal] = useState<string | null>(null);
  /** Shown once the text was turned into a number that the person did not type. */
  const [note, setNote] = useState("");
  const field = useLateFocus<HTMLInputElement>();
  const [blocked, setBlocked] = useState<string | null>(null);
  const tab = useRef<Window | null>(null);
  const attempt = useAttempt();
  const link = usePaymentLink((url) => {
    if (tab.current === null || tab.current.closed) return setBlocked(url);
    tab.current.location.replace(url);
    toast.success(REDIRECTING, { duration: REDIRECTED_MS });
    onClose();
  });
  const amount = readAmount(text, navigator.language);

  const write = (typed: string) => {
    setRefusal(null);
    setNote("");
    setText(typed);
  };
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    const wrong = refusalOf(amount);
    setRefusal(wrong);
    if (wrong !== null || amount === null) {
      field.current?.focus();
      return;
    }
    setText(String(amount.credits));
    if (!amount.isExact) {
      setNote(`This is ${counted(amount.credits, "credit")} now. Confirm to buy. `);
      return;
    }
    if (!attempt.begin()) return;
    // Browsers let a tab open within the click only; where it leads is known when the server has answered.
    tab.current = window.open("", "_blank");
    if (tab.current !== null) tab.current.opener = null;
    link.mutate(amount.credits, {
      onError: (error) => {
        attempt.failed();
        tab.current?.close();
        toast.error(failureOf(error), { id: "payment-link" });
      },
    });
  };
  if (blocked !== null) return <BlockedTab url={blocked} onClose={onClose} />;
  return (
    <Stack as="form" gap={16} grow shrink noValidate onSubmit={confirm}>
      <TextInput
        ref={field}
        label="Credits"
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        value={text}
        error={refusal}
        description={
          <>
            <span role="status">{note}</span>
            {priceOf(amount)}You pay in crypto, on the payment provider's page.
          </>
        }
        inputWrapperOrder={["label", "input", "description", "error"]}
        onBlur={() => {
          if (amount === null) setRefusal(UNCLEAR);
        }}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <PlanPrices value={amount?.isExact ? amount.credits : null} onChoose={write} />
      <Row wrap justify="end" gap={8}>
        <Button onClick={onClose} disabled={link.isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={link.isPending}>
          Buy {amount === null || amount.credits < 1 ? "credits" : counted(amount.credits, "credit")}
        </Button>
      </Row>
    </Stack>
  );
}

/** What a month of each plan costs, as amounts to choose. */
function PlanPrices({ value, onChoose }: { value: number | null; onChoose: (amount: string) => void }) {
  const { data } = useQuery(plansQuery);
  const paid = data?.plans.filter(({ monthlyCreditCost }) => monthlyCreditCost > 0) ?? [];
  if (paid.length === 0) return null;
  return (
    <Box as="fieldset" shrink p={0} m={0} border="none" className={own["prices"]}>
      <Text as="legend" p={0} mb={6} size="s" tone="ink-2">
        A month of a plan
      </Text>
      <Row wrap align="center" gap={8}>
        {paid.map(({ id, name, monthlyCreditCost: price }) => (
          <Button key={id} size="xs" aria-pressed={price === value} onClick={() => onChoose(String(price))}>
            {name}: {price}
          </Button>
        ))}
      </Row>
    </Box>
  );
}

/** Some browsers open no tab at all; then the link is here to be followed by hand. */
function BlockedTab({ url, onClose }: { url: string; onClose: () => void }) {
  const follow = () => {
    toast.success(REDIRECTING, { duration: REDIRECTED_MS });
    onClose();
  };
  return (
    <Stack gap={16} grow shrink>
      <Notice tone="plain">Your browser kept the payment page from opening.</Notice>
      <Row wrap justify="end" gap={8}>
        <Button component="a" href={url} target="_blank" rel="noopener noreferrer" variant="filled" onClick={follow}>
          Open the payment page
        </Button>
      </Row>
    </Stack>
  );
}
