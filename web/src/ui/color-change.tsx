/** One line of a review: what becomes of a colour, from which value and nickname to which, and who changed it. */
import type { ColorChange } from "@/lib/diff";
import classes from "./color-change.module.css";
import { ChangeHead } from "./key-change";

export function ColorChangeLine({ change }: { change: ColorChange }) {
  const { old, new: next, oldNickname, newNickname } = change;
  return (
    <li className={classes["color"]}>
      <ChangeHead
        name={change.key}
        change={change.change}
        by={change.by}
        at={change.at}
        renamedFrom={change.renamedFrom}
        renamedTo={change.renamedTo}
      />
      <div className={classes["values"]}>
        {old !== "" && <Value tag="del" value={old} nickname={oldNickname} />}
        {old !== "" && next !== "" && <span aria-hidden="true">→</span>}
        {next !== "" && <Value tag="ins" value={next} nickname={newNickname} />}
      </div>
    </li>
  );
}

function Value({ tag: Tag, value, nickname }: { tag: "del" | "ins"; value: string; nickname: string }) {
  return (
    <Tag className={classes["value"]}>
      <i style={{ background: value }} aria-hidden="true" />
      <span className="mono">{value}</span>
      {nickname !== "" && <bdi className={classes["nickname"]}>{nickname}</bdi>}
    </Tag>
  );
}
