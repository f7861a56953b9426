// Prices and dates in the words of the shown language.

export function price(language: string, euros: number): string {
  return format(language, (code) =>
    new Intl.NumberFormat(code, { style: "currency", currency: "EUR", maximumFractionDigits: 0 }).format(euros),
  );
}

export function dayFromNow(language: string, days: number): string {
  const date = new Date();
  date.setDate(date.getDate() + days);
  return format(language, (code) => new Intl.DateTimeFormat(code, { day: "numeric", month: "long" }).format(date));
}

export function languageName(code: string): string {
  return format(code, (own) => {
    const name = new Intl.DisplayNames([own], { type: "language" }).of(own) ?? own;
    return name.charAt(0).toLocaleUpperCase(own) + name.slice(1);
  });
}

/** A language code is data from outside; one that the browser does not know reads as English. */
function format(language: string, write: (code: string) => string): string {
  try {
    return write(language);
  } catch {
    return write("en");
  }
}
