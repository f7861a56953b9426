/** One line of a comparison: what becomes of a colour, from which value and nickname to which, and who changed it. */
import type { ReactNode } from "react";
import type { ColorChange } from "@/lib/diff";
import { ChangeRow } from "./change-row";
import classes from "./color-change.module.css";
import { ChangeHead } from "./key-change";
import { look } from "./look";
import { Row, Text } from "./parts";

export function ColorChangeLine({ change, badge }: { change: ColorChange; badge?: ReactNode }) {
  const { old, new: next, oldNickname, newNickname } = change;
  const of = { ref: change.ref, name: change.key };
  return (
    <ChangeRow of={of} className={look({ py: 9, lineBelow: true }, classes["color"])}>
      <ChangeHead
        of={of}
        change={change.change}
        by={change.by}
        at={change.at}
        renamedFrom={change.renamedFrom}
        renamedTo={change.renamedTo}
      >
        {badge}
      </ChangeHead>
      <Row wrap align="center" gap={4} gapX={10} pt={6} tone="ink-2">
        <ColorValues old={old} new={next} oldNickname={oldNickname} newNickname={newNickname} />
      </Row>
    </ChangeRow>
  );
}

/** From which value to which; an empty value is not there. */
export function ColorValues({
  old,
  new: next,
  oldNickname = "",
  newNickname = "",
}: {
  old: string;
  new: string;
  oldNickname?: string;
  newNickname?: string;
}) {
  return (
    <>
      {old !== "" && <Value tag="del" value={old} nickname={oldNickname} />}
      {old !== "" && next !== "" && <span aria-hidden="true">→</span>}
      {next !== "" && <Value tag="ins" value={next} nickname={newNickname} />}
    </>
  );
}

function Value({ tag: Tag, value, nickname }: { tag: "del" | "ins"; value: string; nickname: string }) {
  return (
    <Tag className={classes["value"]}>
      <i style={{ background: value }} aria-hidden="true" />
      <span className="mono">{value}</span>
      {nickname !== "" && (
        <Text as="bdi" size="s" tone="ink-3" breaks>
          {nickname}
        </Text>
      )}
    </Tag>
  );
}
