/** 'Buy More Credits': how many, what they cost, and the way to the payment page in a tab of its own. */
import { Button, Modal, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import toast from "react-hot-toast";
import { ApiError, api, NetworkError, take } from "@/lib/api";
import { invoicesQuery } from "@/lib/purchases";
import { randomId } from "@/lib/random-id";
import { useAttempt } from "@/lib/use-attempt";
import { Notice } from "@/ui/notice";
import classes from "@/ui/rows.module.css";

export const DEFAULT_AMOUNT = 10;
const LARGEST_AMOUNT = 100_000;
const REDIRECTED_MS = 5000;
const REDIRECTING = "Redirecting for crypto payment... Your credits will update after successful payment.";
const TOO_FEW = "Please enter a valid number of credits (minimum 1).";

/** The whole number that was meant; 1 for what is no number at all. */
function forced(text: string): number {
  const amount = Math.trunc(Number(text.replace(",", ".")));
  return Number.isFinite(amount) && text.trim() !== "" ? amount : 1;
}

function refusalOf(amount: number): string | null {
  if (amount < 1) return TOO_FEW;
  return amount > LARGEST_AMOUNT ? "At most 100,000 credits can be bought at once." : null;
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
      void client.invalidateQueries({ queryKey: invoicesQuery.queryKey });
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

export function BuyCreditsDialog({ amount, onClose }: { amount: number | null; onClose: () => void }) {
  return (
    <Modal opened={amount !== null} onClose={onClose} title="Buy More Credits" size="sm">
      <BuyCreditsForm initial={amount ?? DEFAULT_AMOUNT} onClose={onClose} />
    </Modal>
  );
}

function BuyCreditsForm({ initial, onClose }: { initial: number; onClose: () => void }) {
  const [text, setText] = useState(String(initial));
  const [refusal, setRefusal] = useState<string | null>(null);
  const [blocked, setBlocked] = useState<string | null>(null);
  const tab = useRef<Window | null>(null);
  const attempt = useAttempt();
  const link = usePaymentLink((url) => {
    if (tab.current === null || tab.current.closed) return setBlocked(url);
    tab.current.location.replace(url);
    toast.success(REDIRECTING, { duration: REDIRECTED_MS });
    onClose();
  });
  const amount = forced(text);

  const confirm = (event: FormEvent) => {
    event.preventDefault();
    setText(String(amount));
    const wrong = refusalOf(amount);
    setRefusal(wrong);
    if (wrong !== null || !attempt.begin()) return;
    // Browsers let a tab open within the click only; where it leads is known when the server has answered.
    tab.current = window.open("", "_blank");
    if (tab.current !== null) tab.current.opener = null;
    link.mutate(amount, {
      onError: (error) => {
        attempt.failed();
        tab.current?.close();
        toast.error(failureOf(error), { id: "payment-link" });
      },
    });
  };
  if (blocked !== null) return <BlockedTab url={blocked} onClose={onClose} />;
  return (
    <form className={classes["form"]} noValidate onSubmit={confirm}>
      <TextInput
        label="Credits"
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        value={text}
        error={refusal}
        description={`${Math.max(amount, 0).toLocaleString("en")} USDT, about ${Math.max(amount, 0).toLocaleString("en")}.00 USD. You pay in crypto, on the payment provider's page.`}
        inputWrapperOrder={["label", "input", "description", "error"]}
        onBlur={() => setText(String(amount))}
        onChange={(event) => {
          setRefusal(null);
          setText(event.currentTarget.value);
        }}
      />
      <div className={classes["buttons"]}>
        <Button onClick={onClose} disabled={link.isPending}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" loading={link.isPending}>
          Buy {amount >= 1 ? amount.toLocaleString("en") : ""} {amount === 1 ? "credit" : "credits"}
        </Button>
      </div>
    </form>
  );
}

/** Some browsers open no tab at all; then the link is here to be followed by hand. */
function BlockedTab({ url, onClose }: { url: string; onClose: () => void }) {
  const follow = () => {
    toast.success(REDIRECTING, { duration: REDIRECTED_MS });
    onClose();
  };
  return (
    <div className={classes["form"]}>
      <Notice tone="plain">Your browser kept the payment page from opening.</Notice>
      <div className={classes["buttons"]}>
        <Button component="a" href={url} target="_blank" rel="noopener noreferrer" variant="filled" onClick={follow}>
          Open the payment page
        </Button>
      </div>
    </div>
  );
}
