/** 'Buy More Credits'. The code of its form is fetched once the page is drawn. */
import { Modal } from "@mantine/core";
import { later } from "@/ui/later";
import { LoadingRows } from "@/ui/states";

export const DEFAULT_AMOUNT = 10;

const form = later(
  async () => (await import("./buy-credits-form")).BuyCreditsForm,
  <LoadingRows rows={2} height={44} label="Loading the form" />,
);

export function BuyCreditsDialog({ amount, onClose }: { amount: number | null; onClose: () => void }) {
  form.useFetched();
  return (
    <Modal opened={amount !== null} onClose={onClose} title="Buy More Credits" size="sm">
      <form.Part initial={amount ?? DEFAULT_AMOUNT} onClose={onClose} />
    </Modal>
  );
}
