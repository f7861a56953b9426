import { useT } from "@livery/react";
import { Text } from "./text";

const FEWEST = 1;
const MOST = 12;

/** At either end its button stays in the tab order: a disabled one would drop the focus. */
export function TravellerStepper({ count, onChange }: { count: number; onChange: (count: number) => void }) {
  const t = useT();
  return (
    <div className="stepper">
      <button
        type="button"
        aria-label={t("checkout.travellers_fewer")}
        aria-disabled={count === FEWEST}
        onClick={() => onChange(Math.max(FEWEST, count - 1))}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M4 10h12" />
        </svg>
      </button>
      <output aria-live="polite">
        <Text id="checkout.traveller_count" values={{ count }} />
      </output>
      <button
        type="button"
        aria-label={t("checkout.travellers_more")}
        aria-disabled={count === MOST}
        onClick={() => onChange(Math.min(MOST, count + 1))}
      >
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M4 10h12M10 4v12" />
        </svg>
      </button>
    </div>
  );
}
