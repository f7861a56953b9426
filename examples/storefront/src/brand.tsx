/** The mark and the name of the shop. */
export function Brand() {
  return (
    <>
      <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="9" className="mark-sky" />
        <path d="M6 20c5-9 15-12 20-13-3 4-8 7-11 13z" className="mark-glow" />
        <path d="M5 25l6-6 4 3 5-6 7 9z" fill="#f6f3ec" />
      </svg>
      <span>Aurora Travel</span>
    </>
  );
}
