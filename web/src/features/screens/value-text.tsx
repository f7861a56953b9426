/** A text as the grid shows it: placeholders as chips, a web address as a link. */
import { isWebAddress, segmentsOf } from "./placeholders";
import classes from "./value-text.module.css";

/** `reachable` puts the link into the tab order: only that of the grid's current cell is. */
export function ValueText({ text, reachable }: { text: string; reachable: boolean }) {
  if (isWebAddress(text)) {
    return (
      <a
        className={classes["link"]}
        href={text}
        target="_blank"
        rel="noopener noreferrer"
        tabIndex={reachable ? 0 : -1}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.stopPropagation();
        }}
      >
        {text}
      </a>
    );
  }
  return segmentsOf(text).map((segment) =>
    segment.kind === "text" ? (
      segment.text
    ) : (
      <bdi key={segment.at} dir="ltr" className={classes["chip"]}>
        {segment.text}
      </bdi>
    ),
  );
}
