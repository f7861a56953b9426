/** Where the layout changes, in px: the one definition. Style sheets write `@media (--small)`, components ask `useMediaQuery(LARGE)`. */
export const BREAKPOINTS = { phone: 640, small: 900, medium: 1200 } as const;

/** Wider than small: the sidebar is beside the page. */
export const LARGE = `(min-width: ${BREAKPOINTS.small + 1}px)`;
/** Wider than a phone. */
export const TABLET = `(min-width: ${BREAKPOINTS.phone + 1}px)`;
