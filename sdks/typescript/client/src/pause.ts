/** The pause after a failure that may pass: doubled each time up to 30 s, and half of it at chance. */
export function pause(failures: number, random: number): number {
  return Math.min(1000 * 2 ** Math.min(failures, 10), 30_000) * (0.5 + random / 2);
}
