/** The shop: a title, a cart that counts, and a hint with a link in its text. */
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";

export function Shop() {
  const { t } = useTranslation();
  const [count, setCount] = useState(1);
  return (
    <main>
      <h1>{t("title")}</h1>
      <p>{t("cart.greeting", { name: "Mira" })}</p>
      <p role="status">{t("cart.items-left", { count })}</p>
      <button type="button" onClick={() => setCount(count + 1)}>
        {t("cart.add-to-cart")}
      </button>
      <p>
        <Trans i18nKey="help.hint">
          Questions? <a href="#help">Write to us</a>.
        </Trans>
      </p>
    </main>
  );
}
