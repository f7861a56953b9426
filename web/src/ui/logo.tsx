import classes from "./logo.module.css";

/** The mark and the name. `inverted` is for the dark brand panel. */
export function Logo({ inverted = false }: { inverted?: boolean }) {
  return (
    <span className={classes["logo"]} data-inverted={inverted || undefined}>
      <i aria-hidden="true" />
      Livery
    </span>
  );
}
