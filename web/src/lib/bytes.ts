/** Sizes as people read them. */
const UNITS = ["Bytes", "KB", "MB", "GB", "TB"] as const;
const STEP = 1024;

/** '512 Bytes', '1.5 KB', '15 GB': steps of 1024, three digits at most below a thousand of the unit. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  // What would be written as 1,024 is one of the next unit.
  while (unit < UNITS.length - 1 && Number(rounded(value, unit)) >= STEP) {
    value /= STEP;
    unit += 1;
  }
  if (bytes === 1) return "1 Byte";
  return `${Number(rounded(value, unit)).toLocaleString("en", { maximumFractionDigits: 2 })} ${UNITS[unit]}`;
}

function rounded(value: number, unit: number): string {
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(digits);
}
