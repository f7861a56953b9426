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

/** Of `2027-05-14`, whatever the reader's zone: a departure is on the day it is on. */
export function day(language: string, date: string): string {
  return format(language, (code) =>
    new Intl.DateTimeFormat(code, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }).format(
      new Date(date),
    ),
  );
}

/** The same as a leaf of a calendar shows it. */
export function calendarDay(language: string, date: string): { number: string; month: string } {
  const part = (options: Intl.DateTimeFormatOptions) =>
    format(language, (code) => new Intl.DateTimeFormat(code, { ...options, timeZone: "UTC" }).format(new Date(date)));
  return { number: part({ day: "numeric" }), month: part({ month: "short" }) };
}

export function languageName(code: string): string {
  return format(code, (own) => {
    const name = new Intl.DisplayNames([own], { type: "language" }).of(own) ?? own;
    return name.charAt(0).toLocaleUpperCase(own) + name.slice(1);
  });
}

/** A language code is data from outside; a code that the browser does not know reads as English. */
function format(language: string, write: (code: string) => string): string {
  try {
    return write(language);
  } catch {
    return write("en");
  }
}
